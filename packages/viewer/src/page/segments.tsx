interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few choices, side by side. Radio buttons underneath: arrow keys work as people expect. */
export function Segments<Value extends string>({ label, name, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      <span class="segments-choices">
        {options.map(([option, words]) => (
          <label key={option}>
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span>{words}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
