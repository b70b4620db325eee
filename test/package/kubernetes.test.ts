import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { Container, Pod, PodSpec, Service } from "kubernetes-types/core/v1.js";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { programOf } from "../../scripts/run-program.ts";
import { runCommand } from "../run-command.ts";
import { readContainerFile } from "./container-file.ts";

type Manifest = Deployment | Pod | Service;

const root = resolve(import.meta.dirname, "../..");
const deploy = join(root, "deploy");
const file = readContainerFile(readFileSync(join(deploy, "Dockerfile"), "utf8"));
const manifests = ["kubernetes-deployment.yaml", "kubernetes-sidecar.yaml"].flatMap((name) =>
  parseAllDocuments(readFileSync(join(deploy, name), "utf8")).map((document) => document.toJS() as Manifest),
);
const deployment = manifests.find(({ kind }) => kind === "Deployment") as Deployment;
const service = manifests.find(({ kind }) => kind === "Service") as Service;
const sidecar = manifests.find(({ kind }) => kind === "Pod") as Pod;
const pods: PodSpec[] = [deployment.spec!.template.spec!, sidecar.spec!];
const containers = pods.flatMap((pod) => pod.containers);
const ours = containers.filter(({ name }) => name === "doomloop");
const PLACES: Readonly<Record<string, string>> = { Deployment: "apps/v1", Pod: "core/v1", Service: "core/v1" };

/** What the compiler says about manifests, written as values of their types: a field that does not exist is an error. */
function faultsOf(values: readonly object[]): string {
  // Below the repository, where the types are found.
  const folder = mkdtempSync(join(root, "node_modules/.kubernetes-"));
  try {
    const lines = values.map((value, at) => {
      const { kind = "" } = value as Manifest;
      return `export const value${at}: import("kubernetes-types/${PLACES[kind]}.js").${kind} = ${JSON.stringify(value)};\n`;
    });
    writeFileSync(join(folder, "manifests.mts"), lines.join(""));
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
    const words = [programOf("tsc"), ...options, "--types", "", "manifests.mts"];
    return spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the Kubernetes files", () => {
  it("have the fields that Kubernetes has", () => {
    expect(faultsOf(manifests)).toBe("");
  });

  it("would fail with a field that Kubernetes doesn't have, or a value of another type", () => {
    const [misspelt, mistaken] = [structuredClone(sidecar), structuredClone(deployment)];
    Object.assign(misspelt.spec!.containers[0]!, { readinessprobe: {} });
    Object.assign(mistaken.spec!, { replicas: "two" });

    const faults = faultsOf([misspelt, mistaken]);

    expect(faults).toContain("readinessprobe");
    expect(faults).toContain("Type 'string' is not assignable to type 'number'");
  });

  it("are accepted where pods are restricted", () => {
    for (const { securityContext } of containers)
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ["ALL"] },
        seccompProfile: { type: "RuntimeDefault" },
      });
    // Kubernetes can't tell that a user with a name isn't root.
    expect(file.user).toMatch(/^[1-9]\d*:\d+$/);
  });

  it("lead to each other", () => {
    const { metadata, spec } = deployment.spec!.template;
    const [{ ports = [] }] = spec!.containers as [Container];

    expect(metadata!.labels).toMatchObject(deployment.spec!.selector.matchLabels!);
    expect(metadata!.labels).toMatchObject(service.spec!.selector!);
    expect(ports).toContainEqual({ name: service.spec!.ports![0]!.targetPort, containerPort: 4177 });
    expect(file.entrypoint.at(-1)).toBe("0.0.0.0:4177");
    for (const { env = [] } of containers)
      expect(env.find(({ name }) => name === "DOOMLOOP_TOKEN")!.valueFrom).toEqual({
        secretKeyRef: { name: "doomloop", key: "token" },
      });
  });

  it("and the image start the service with options that it has", async () => {
    const { stdout } = await runCommand(["serve", "--help"], { cwd: root, env: {} });
    const words = [...file.entrypoint.slice(3), ...file.words, ...ours.flatMap(({ args = [] }) => args)];
    const options = words.filter((word) => word.startsWith("--"));

    expect(options.length).toBeGreaterThan(4);
    for (const option of options) expect(stdout).toContain(` ${option}`);
  });
});
