import { type FleetStore, type OpenFleetStore, type StoreNews, storeRefusal } from "doomloop/fleet";

/**
 * A fleet's store in Postgres, for people who have one and no Redis. One table, plain statements, and each process asks for what is new.
 *
 * Everything that counts is a row with a primary key, so a report that is sent again changes nothing. A row ends by itself: it has a time
 * after which it is ignored, and some heartbeats remove such rows.
 */

/** The part of a `Pool` or a `Client` of `pg` that is used. */
export interface PostgresClient {
  query(statement: Statement): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A statement with a name is planned once for each connection. */
interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Creates the table. Run it once, as a user who may; workers need SELECT, INSERT, UPDATE and DELETE. */
export const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS doomloop_fleet (
    tenant text NOT NULL,
    kind text NOT NULL,   -- call, witness, told, run, stops, news, settings, switch
    name text NOT NULL,
    item text NOT NULL,
    body text NOT NULL DEFAULT '',
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ends timestamptz NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (tenant, kind, name, item)
  );
  CREATE INDEX IF NOT EXISTS doomloop_fleet_news ON doomloop_fleet (tenant, id) WHERE kind = 'news';
  CREATE INDEX IF NOT EXISTS doomloop_fleet_ends ON doomloop_fleet (ends);`;

/** Sets the switch of a tenant, as an operator does. */
export async function setSwitch(client: PostgresClient, tenant: string, mode: "on" | "shadow" | "off"): Promise<void> {
  const values = "VALUES ($1, 'switch', '', '', $2, 'infinity')";
  const change = "ON CONFLICT (tenant, kind, name, item) DO UPDATE SET body = excluded.body";
  const text = `INSERT INTO doomloop_fleet (tenant, kind, name, item, body, ends) ${values} ${change}`;
  await client.query({ text, values: [tenant, mode] });
}

const MAX_COUNTED = 100;
/** More rows of one name would not be counted. */
const MAX_ROWS = 128;
const PAGE = 64;
const MAX_TEXT = 512;
/** A row may become visible after one with a higher number: what was announced within this time is read again. */
const OVERLAP = "2 seconds";
const MAX_OVERLAP = 1000;
/** One heartbeat in this many removes rows that have ended. */
const SWEEPS = 20;

/** A row that has ended counts as missing: it starts again. Rows that have not ended stay as they are, and are not returned. */
const ONCE = `ON CONFLICT (tenant, kind, name, item) DO UPDATE SET at = excluded.at, ends = excluded.ends
  WHERE doomloop_fleet.ends <= clock_timestamp()`;

const COUNT = `
  WITH before AS (
    SELECT count(*) FILTER (WHERE kind = 'call') AS calls, count(*) FILTER (WHERE kind = 'witness') AS workers,
      coalesce(min(ends), clock_timestamp() + $5 * interval '1 ms') AS ends
    FROM doomloop_fleet
    WHERE tenant = $1 AND name = $2 AND kind IN ('call', 'witness') AND ends > clock_timestamp()
  ), rows AS (
    SELECT 'call' AS kind, unnest($3::text[]) AS item UNION ALL SELECT 'witness', $4
  ), added AS (
    INSERT INTO doomloop_fleet (tenant, kind, name, item, ends)
    SELECT $1, rows.kind, $2, rows.item, before.ends FROM rows, before
    WHERE CASE rows.kind WHEN 'call' THEN before.calls ELSE before.workers END < ${MAX_ROWS}
    ${ONCE} RETURNING kind
  )
  SELECT calls::int, workers::int, (SELECT count(*) FILTER (WHERE kind = 'call') FROM added)::int AS "newCalls",
    (SELECT count(*) FILTER (WHERE kind = 'witness') FROM added)::int AS "newWorkers",
    extract(epoch FROM ends - clock_timestamp()) * 1000 AS "lastsMs"
  FROM before`;

const FORGET = `
  WITH gone AS (
    DELETE FROM doomloop_fleet WHERE tenant = $1 AND name = $2 AND kind IN ('call', 'witness')
    RETURNING kind, ends > clock_timestamp() AS counts
  )
  SELECT count(*) FILTER (WHERE kind = 'call' AND counts)::int AS calls,
    count(*) FILTER (WHERE kind = 'witness' AND counts)::int AS workers
  FROM gone`;

const ANNOUNCE = `
  INSERT INTO doomloop_fleet (tenant, kind, name, item, body, ends)
  SELECT $1, 'news', name, gen_random_uuid()::text, body, clock_timestamp() + $4 * interval '1 ms'
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS told (name, body, place) ORDER BY place`;

const TOLD = `
  INSERT INTO doomloop_fleet (tenant, kind, name, item, ends)
  VALUES ($1, 'told', $2, '', clock_timestamp() + $3 * interval '1 ms') ${ONCE} RETURNING 1`;

const BEAT = `
  (SELECT kind, name, left(body, ${MAX_TEXT}) AS body, 0 AS id, 0 AS "ageMs" FROM doomloop_fleet
    WHERE tenant = $1 AND kind IN ('switch', 'settings') AND name = '' AND item = '')
  UNION ALL
  (SELECT kind, name, left(body, ${MAX_TEXT}), id, extract(epoch FROM clock_timestamp() - at) * 1000 FROM doomloop_fleet
    WHERE tenant = $1 AND kind = 'news' AND ends > clock_timestamp()
      AND (id > $2 OR (id > $3 AND at > clock_timestamp() - interval '${OVERLAP}'))
    ORDER BY id LIMIT ${PAGE})`;

const AGREE = `
  INSERT INTO doomloop_fleet (tenant, kind, name, item, body, ends) VALUES ($1, 'settings', '', '', $2, 'infinity')
  ON CONFLICT DO NOTHING`;

const SWEEP = `
  DELETE FROM doomloop_fleet WHERE ctid IN (SELECT ctid FROM doomloop_fleet WHERE ends < clock_timestamp() LIMIT 1000)`;

const RUNS = `
  INSERT INTO doomloop_fleet (tenant, kind, name, item, ends)
  SELECT $1, 'run', '', run, clock_timestamp() + $3 * interval '1 ms' FROM unnest($2::text[]) AS run
  ON CONFLICT (tenant, kind, name, item) DO UPDATE SET ends = excluded.ends`;

const PLACES = `
  INSERT INTO doomloop_fleet (tenant, kind, name, item, body, ends)
  VALUES ($1, 'stops', '', '', $2::int::text, clock_timestamp() + $3 * interval '1 ms')
  ON CONFLICT (tenant, kind, name, item) DO UPDATE SET
    body = CASE WHEN doomloop_fleet.ends > clock_timestamp() THEN doomloop_fleet.body::int + $2::int ELSE $2::int END::text,
    ends = CASE WHEN doomloop_fleet.ends > clock_timestamp() THEN doomloop_fleet.ends ELSE excluded.ends END
  RETURNING body::int AS last`;

const ACTIVE = `
  SELECT count(*)::int AS runs FROM doomloop_fleet WHERE tenant = $1 AND kind = 'run' AND ends > clock_timestamp()`;

/** Statements by the names under which a connection keeps their plans. */
const STATEMENTS = {
  ...{ count: COUNT, forget: FORGET, announce: ANNOUNCE, told: TOLD, beat: BEAT, agree: AGREE, sweep: SWEEP },
  ...{ runs: RUNS, places: PLACES, active: ACTIVE },
};

/** Keeps a fleet's counts in Postgres: `createStoreFleet({ store: postgresStore(pool), key, tenant })`. */
export function postgresStore(client: PostgresClient): OpenFleetStore {
  const ask: Ask = async <Row>(statement: keyof typeof STATEMENTS, values: unknown[]): Promise<readonly Row[]> => {
    const [name, text] = [`doomloop fleet ${statement}`, STATEMENTS[statement]];
    try {
      return (await client.query({ name, text, values })).rows as readonly Row[];
    } catch (fault) {
      throw isRefused(fault) ? storeRefusal(fault.message) : fault;
    }
  };
  return ({ tenant, windowMs }) => openStore(ask, tenant, windowMs);
}

type Ask = <Row>(statement: keyof typeof STATEMENTS, values: unknown[]) => Promise<readonly Row[]>;

interface CountRow {
  readonly calls: number;
  readonly workers: number;
  readonly newCalls: number;
  readonly newWorkers: number;
  readonly lastsMs: string | number;
}

interface BeatRow {
  readonly kind: string;
  readonly name: string;
  readonly body: string;
  readonly id: string | number;
  readonly ageMs: string | number;
}

/** How far a process has read: the last number, and the one from which rows may still appear. */
interface Cursor {
  readonly last: number;
  readonly before: number;
}

function openStore(ask: Ask, tenant: string, windowMs: number): FleetStore {
  let beats = 0;
  return {
    async count({ name, calls, witness }) {
      const [row] = await ask<CountRow>("count", [tenant, name, calls, witness, windowMs]);
      const { calls: before, workers, newCalls, newWorkers, lastsMs } = row!;
      return {
        before: capped(before, workers),
        after: capped(before + newCalls, workers + newWorkers),
        lastsMs: Math.max(0, Number(lastsMs)),
      };
    },
    async forget(name) {
      const [row] = await ask<{ calls: number; workers: number }>("forget", [tenant, name]);
      return capped(row!.calls, row!.workers);
    },
    async announce(announcements) {
      if (announcements.length === 0) return [];
      const bodies = announcements.map(({ tool, calls, workers, lastsMs, by }) =>
        JSON.stringify([tool, calls, workers, lastsMs, by]),
      );
      await ask("announce", [tenant, announcements.map(({ name }) => name), bodies, 2 * windowMs]);
      return Promise.all(
        announcements.map(
          async ({ name, isConfirmed }) => isConfirmed && (await ask("told", [tenant, name, windowMs])).length > 0,
        ),
      );
    },
    async beat({ cursor, agreement }) {
      const { last, before } = (cursor as Cursor | undefined) ?? { last: 0, before: 0 };
      const rows = await ask<BeatRow>("beat", [tenant, last, before]);
      const textOf = (kind: string): string | undefined => rows.find((row) => row.kind === kind)?.body;
      const news = rows.filter(({ kind }) => kind === "news");
      const [switched, agreed] = [textOf("switch"), textOf("settings")];
      if (agreed === undefined && agreement !== undefined && switched !== "off")
        await ask("agree", [tenant, agreement]);
      if (++beats % SWEEPS === 0) await ask("sweep", []);
      const isMore = news.length === PAGE;
      const read = Math.max(last, ...news.map(({ id }) => Number(id)));
      const next: Cursor = { last: read, before: isMore ? read : Math.max(0, read - MAX_OVERLAP) };
      return {
        ...{ switch: switched, agreed, news: news.flatMap((row) => newsIn(row, windowMs) ?? []) },
        ...{ cursor: next, isMore, isComplete: !isMore },
      };
    },
    async permit({ runs, places }) {
      if (runs.length > 0) await ask("runs", [tenant, [...new Set(runs)], windowMs]);
      const [row] = places === 0 ? [] : await ask<{ last: number }>("places", [tenant, places, windowMs]);
      const [active] = await ask<{ runs: number }>("active", [tenant]);
      const first = (row?.last ?? 0) - places + 1;
      return { places: Array.from({ length: places }, (_, at) => first + at), runs: active!.runs };
    },
  };
}

function capped(calls: number, workers: number): { calls: number; workers: number } {
  return { calls: Math.min(calls, MAX_COUNTED), workers: Math.min(workers, MAX_COUNTED) };
}

/** Reads a row of the news. Another worker wrote it: what cannot be read is skipped, and nothing holds for longer than a window. */
function newsIn({ name, body, ageMs: age }: BeatRow, windowMs: number): StoreNews | undefined {
  try {
    const [tool, calls, workers, lastsMs, by] = JSON.parse(body) as [unknown, number, number, number, unknown];
    const ageMs = Math.max(0, Number(age));
    if (typeof tool !== "string" || ![calls, workers, lastsMs].every((value) => value >= 0)) return undefined;
    return {
      name,
      tool: tool.slice(0, 80),
      ...capped(calls, workers),
      lastsMs: Math.min(lastsMs, windowMs) - ageMs,
      ageMs,
      ...(typeof by === "string" && { by: by.slice(0, 16) }),
    };
  } catch {
    return undefined;
  }
}

/** Postgres answers with a code of five characters. Classes 08 and 57 mean that it is gone, or about to be. */
function isRefused(fault: unknown): fault is Error {
  const { code } = fault as { code?: unknown };
  return fault instanceof Error && typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57)/.test(code);
}
