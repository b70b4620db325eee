const { REDIS_URL = "" } = process.env;

// #region client
import { createClient } from "redis";

const redis = createClient({ url: REDIS_URL });
redis.on("error", (error) => console.warn("redis:", error.message));
await redis.connect();
// ... and at the end: await fleet.close(); redis.destroy();
// #endregion client
