import { Redis } from "ioredis";
import { beforeAll, describe, expect, it } from "vitest";
import { report, tell } from "../../contracts/fleet.ts";
import { newFleet } from "./fleets.ts";
import { onEachEngine } from "./one-server.ts";
import { giveRights, liveFully, logins, TENANT, waysIn } from "./rights.ts";

const keyOf = (tenant: string, name: string): string => `${name === "switch" ? "dl" : "dl3"}:{${tenant}}:${name}`;
const control = (name: string): string => keyOf(TENANT, name);
const other = (name: string): string => keyOf("other", name);

onEachEngine("users with the rights that the documentation gives them", (store) => {
  beforeAll(() => giveRights(store.server));
  /** The server's answer to each command of a user. */
  const tryAll = async (user: keyof typeof logins, commands: readonly string[]): Promise<string[]> => {
    const client = new Redis({ port: store.server.port, ...logins[user] });
    const said: string[] = [];
    for (const command of commands) {
      const [name, ...words] = command.split(" ");
      said.push(await client.call(name!, ...words).then(String, ({ message }: Error) => message.split(" ")[0]!));
    }
    client.disconnect();
    return said;
  };
  const refused = (commands: readonly string[]): string[] => commands.map(() => "NOPERM");

  describe.each(["worker", "operator"] as const)("%s", (user) => {
    it.each(waysIn)("can use a fleet through $name", async ({ standalone }) => {
      await store.client.call("ACL", "LOG", "RESET");
      const { client, close } = await standalone(store.server.port, logins[user]);
      await store.client.del(control("stops"));

      expect(await liveFully(client)).toEqual([]);
      expect(await store.client.call("ACL", "LOG")).toEqual([]);
      close();
    });

    it("cannot touch another tenant, run a script, or list or empty the store", async () => {
      const attacks = [
        ...["switch", "settings", "news:7", "runs", "stops"].flatMap((name) => [
          `GET ${other(name)}`,
          `MGET ${control("switch")} ${other(name)}`,
          `DEL ${other(name)}`,
        ]),
        `SETNX ${other("settings")} x`,
        `PFADD dl3:{other:x}:c x`,
        `UNLINK dl3:{other:x}:c`,
        `UNLINK dl3:{acme-2:x}:c`,
        `GETRANGE ${other("news:7")} 0 9`,
        "GET anything",
        "EVAL return(1) 0",
        "EVALSHA x 0",
        "SCRIPT FLUSH",
        "FUNCTION LIST",
        "KEYS *",
        "SCAN 0",
        "RANDOMKEY",
        "FLUSHALL",
        "FLUSHDB",
        "CONFIG GET *",
        "ACL LIST",
        "CLIENT LIST",
        "CLIENT KILL ID 1",
        "SHUTDOWN",
        "MONITOR",
      ];

      expect(await tryAll(user, attacks)).toEqual(refused(attacks));
    });
  });

  it("keep a worker from changing switch and settings", async () => {
    await store.client.mset(control("switch"), "off", control("settings"), "calls=10");
    const attacks = ["switch", "settings"].flatMap((name) => [
      ...["DEL", "UNLINK", "GETDEL", "PERSIST", "INCR", "GETEX"].map((command) => `${command} ${control(name)}`),
      ...["SET", "GETSET", "APPEND", "PFADD", "LPUSH"].map((command) => `${command} ${control(name)} on`),
      `PEXPIRE ${control(name)} 1`,
      `MSET ${control(name)} on`,
      `SETRANGE ${control(name)} 0 on`,
      `RENAME ${control("news:7")} ${control(name)}`,
      `COPY ${control("news:7")} ${control(name)} REPLACE`,
      `XADD ${control(name)} * s x`,
      `RESTORE ${control(name)} 0 x REPLACE`,
    ]);

    expect(await tryAll("worker", [...attacks, `SETNX ${control("switch")} on`])).toEqual(
      refused([...attacks, "SETNX"]),
    );
    // The first worker writes the settings if they are missing. Existing settings stay.
    expect(await tryAll("worker", [`SETNX ${control("settings")} x`])).toEqual(["0"]);
    expect(await store.client.mget(control("switch"), control("settings"))).toEqual(["off", "calls=10"]);
  });

  it("let an operator use the switch and read everything of the tenant", async () => {
    const words = [
      `SET ${control("switch")} shadow`,
      `SET ${control("switch")}:off off`,
      `RENAME ${control("switch")}:off ${control("switch")}`,
      `GET ${control("switch")}`,
      `DEL ${control("switch")}`,
      `DEL ${control("settings")}`,
      `TYPE ${control("news:7")}`,
      `STRLEN ${control("news:7")}`,
      `PFCOUNT ${control("runs")}`,
      `PTTL dl3:{${TENANT}:x}:c`,
    ];

    expect(await tryAll("operator", words)).not.toContain("NOPERM");
  });

  it("give a worker that invents runs no more than a larger share of stops", async () => {
    const invented = Array.from({ length: 500 }, (_, run) => `invented${run}`).join(" ");
    expect(await tryAll("worker", [`PFADD ${control("runs")} ${invented}`])).toEqual(["1"]);
    const fleet = newFleet(store.client, { tenant: TENANT });
    const members = Array.from({ length: 12 }, (_, run) => fleet.join({ worker: "one", run: String(run) }));
    for (const member of members) tell(member, report(0, { isBarren: false }));
    await fleet.flush();

    expect(fleet.stats()).toMatchObject({ mode: "on", runs: { fleet: expect.any(Number), active: 12, looping: 0 } });
    expect(fleet.stats().runs.fleet).toBeGreaterThan(400);
  });
});
