import { looksSecret } from "../privacy/mask-secrets.ts";

const LOCAL = "a local model";
const UNLISTED = "an unlisted model";

/** A file, an address of this machine, or a size as local servers write it: `qwen3:8b`. */
const LOCAL_MODEL =
  /^[./~]|^[A-Za-z]:\\|\.(?:gguf|ggml|safetensors|bin|onnx)$|localhost|127\.0\.0\.1|:\d{1,4}(?:\.\d)?[bm]\b|:latest$/i;

const IDENTIFIER = /^[A-Za-z\d][\w.:/@-]{0,119}$/;

/**
 * A model's name as a record keeps it: unchanged if it looks like a model's identifier. Others may be a path, or hold a
 * secret.
 */
export function keptModel(model: string): string {
  // Google writes a version after an @, which elsewhere means an address of mail.
  if (IDENTIFIER.test(model) && !looksSecret(model.replace("@", "-"))) return model;
  return LOCAL_MODEL.test(model) ? LOCAL : UNLISTED;
}

/** A model's public name. Other names may be account numbers or customers, and are not shown. */
export function shownModel(model: string, modelOf: (model: string) => string | undefined): string {
  return modelOf(model) ?? (model === LOCAL || LOCAL_MODEL.test(model) ? LOCAL : UNLISTED);
}
