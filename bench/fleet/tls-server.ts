import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, freePorts, type Server, startServer } from "../../test/stores/servers/server.ts";

/** The key of a certificate. Most are RSA; servers sign faster with the other kind. */
export type CertificateKey = "rsa:2048" | "ec";

/** A server that also listens with TLS, with a self-signed certificate. */
export interface TlsServer extends Server {
  readonly tlsPort: number;
}

export async function startTlsServer(
  engine: Engine,
  key: CertificateKey,
  settings: readonly string[] = [],
): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-tls-"));
  const [certificate, secret] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const curve = key === "ec" ? ["-pkeyopt", "ec_paramgen_curve:prime256v1"] : [];
  const words = ["req", "-x509", "-newkey", key, ...curve, "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  execFileSync("openssl", [...words, "-keyout", secret, "-out", certificate], { stdio: "ignore" });
  const [tlsPort] = await freePorts(1);
  const tls = [`tls-port ${tlsPort}`, `tls-cert-file ${certificate}`, `tls-key-file ${secret}`, "tls-auth-clients no"];
  const server = await startServer(engine, { settings: [...tls, ...settings] });
  return Object.defineProperties(
    {
      ...{ tlsPort: tlsPort!, engine, port: server.port, ask: server.ask, pause: server.pause, resume: server.resume },
      ...{ kill: server.kill, restart: server.restart },
      async stop() {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    } as TlsServer,
    { pid: { get: () => server.pid } },
  );
}
