/** Fields that choose a part of a whole: another value there is new ground, not another attempt. */
export const PAGING_FIELDS: ReadonlySet<string> = new Set(
  "offset limit page start end cursor line lines from to skip after before range view_range viewRange line_number start_line end_line startLine endLine first last count index position pageToken page_token chunk part".split(
    " ",
  ),
);
