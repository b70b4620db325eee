/** Core is compiled without Node's types; every JavaScript runtime has these globals. */
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label: "latin1");
  decode(bytes: Uint8Array): string;
}

declare function btoa(text: string): string;
declare function atob(text: string): string;
