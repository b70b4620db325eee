/** Words to add to those of a stop where one last model request follows, without tools. */
export const REPORT_REQUEST =
  "Do not call any more tools: report what you tried, what you found out, and what is left to do.";
