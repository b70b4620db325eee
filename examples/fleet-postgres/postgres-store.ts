import type { FleetStore, OpenFleetStore } from "doomloop/fleet";

/**
 * A fleet's store in Postgres, for people who have one and no Redis: two tables and plain statements.
 *
 * Everything that counts is a row with a primary key, so a report that is sent again changes nothing. A row ends by itself: it has a time
 * after which it is ignored, and now and then such rows are removed.
 */

/** The part of a `Pool` or a `Client` of `pg` that is used. A statement with a name is planned once for each connection. */
export interface PostgresClient {
  query(statement: { readonly name: string; readonly text: string; readonly values: unknown[] }): Promise<{
    readonly rows: readonly unknown[];
  }>;
}

/** Creates the tables. Run it once, as a user who may; workers need SELECT, INSERT, UPDATE and DELETE. */
export const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS doomloop_counts (
    tenant text, name text, kind text, item text, ends timestamptz NOT NULL, PRIMARY KEY (tenant, name, kind, item)
  );
  CREATE TABLE IF NOT EXISTS doomloop_suspects (
    tenant text, name text, tool text NOT NULL, ends timestamptz NOT NULL, PRIMARY KEY (tenant, name)
  );
  CREATE INDEX IF NOT EXISTS doomloop_counts_ends ON doomloop_counts (ends);`;

const MAX_COUNTED = 100;
const MAX_SUSPECTS = 100;
/** One look at the list in this many removes rows that have ended. */
const SWEEPS = 20;

const STATEMENTS = {
  add: `
    WITH before AS (
      SELECT count(*) AS rows, coalesce(min(ends), clock_timestamp() + $5 * interval '1 ms') AS ends
      FROM doomloop_counts WHERE tenant = $1 AND name = $2 AND ends > clock_timestamp()
    ), made AS (
      SELECT 'call' AS kind, unnest($3::text[]) AS item UNION ALL SELECT 'process', $4
    )
    INSERT INTO doomloop_counts (tenant, name, kind, item, ends)
    SELECT $1, $2, made.kind, made.item, before.ends FROM made, before WHERE before.rows < ${2 * MAX_COUNTED}
    ON CONFLICT (tenant, name, kind, item) DO UPDATE SET ends = excluded.ends
    WHERE doomloop_counts.ends <= clock_timestamp()`,
  count: `
    SELECT least(count(*) FILTER (WHERE kind = 'call'), ${MAX_COUNTED})::int AS calls,
      least(count(*) FILTER (WHERE kind = 'process'), ${MAX_COUNTED})::int AS processes,
      coalesce(extract(epoch FROM min(ends) - clock_timestamp()) * 1000, 0)::int AS "lastsMs"
    FROM doomloop_counts WHERE tenant = $1 AND name = $2 AND ends > clock_timestamp()`,
  suspect: `
    INSERT INTO doomloop_suspects (tenant, name, tool, ends)
    SELECT $1, $2, $3, clock_timestamp() + $4 * interval '1 ms'
    WHERE (SELECT count(*) FROM doomloop_suspects WHERE tenant = $1 AND ends > clock_timestamp()) < ${MAX_SUSPECTS}
    ON CONFLICT (tenant, name) DO UPDATE SET tool = excluded.tool, ends = excluded.ends
    WHERE doomloop_suspects.ends <= clock_timestamp() RETURNING 1`,
  suspects: `
    SELECT name, tool FROM doomloop_suspects WHERE tenant = $1 AND ends > clock_timestamp() LIMIT ${MAX_SUSPECTS}`,
  clear: "DELETE FROM doomloop_counts WHERE tenant = $1 AND name = $2",
  unlist: "DELETE FROM doomloop_suspects WHERE tenant = $1 AND name = $2",
  sweep: `
    DELETE FROM doomloop_counts
    WHERE ctid IN (SELECT ctid FROM doomloop_counts WHERE ends < clock_timestamp() LIMIT 1000)`,
};

/** Keeps a fleet's counts in Postgres: `createStoreFleet({ store: postgresStore(pool), key, tenant })`. */
export function postgresStore(client: PostgresClient): OpenFleetStore {
  const ask = async <Row>(statement: keyof typeof STATEMENTS, ...values: unknown[]): Promise<readonly Row[]> => {
    const { rows } = await client.query({ name: `doomloop ${statement}`, text: STATEMENTS[statement], values });
    return rows as readonly Row[];
  };
  return ({ tenant, windowMs }): FleetStore => {
    let looks = 0;
    return {
      async count({ name, calls, process }) {
        if (calls.length > 0) await ask("add", tenant, name, calls, process, windowMs);
        const [counts] = await ask<{ calls: number; processes: number; lastsMs: number }>("count", tenant, name);
        return counts!;
      },
      suspect: async ({ name, tool }) => (await ask("suspect", tenant, name, tool, 2 * windowMs)).length > 0,
      async suspects() {
        if (++looks % SWEEPS === 0) await ask("sweep");
        return ask("suspects", tenant);
      },
      async clear(name) {
        await ask("clear", tenant, name);
        await ask("unlist", tenant, name);
      },
    };
  };
}
