/** Options and commands of commander; its package belongs to the applications. */
interface TakesValue {
  readonly required: boolean;
  parseArg?: (<Value>(value: string, previous: Value) => Value) | undefined;
}

interface HasOptions {
  readonly options: readonly TakesValue[];
  readonly commands: readonly HasOptions[];
}

/** Refuses a flag that stands where the value of the flag before it is missing: commander takes it for that value. */
export function refuseFlagsAsValues<Command extends HasOptions>(command: Command): Command {
  for (const option of command.options) if (option.required) checkValue(option);
  for (const inner of command.commands) refuseFlagsAsValues(inner);
  return command;
}

function checkValue(option: TakesValue): void {
  const parse = option.parseArg?.bind(option);
  option.parseArg = <Value>(value: string, previous: Value): Value => {
    // A lone `-` is stdin or stdout.
    if (value.startsWith('-') && value !== '-') throw new MissingValueError();
    return parse === undefined ? (value as Value) : parse(value, previous);
  };
}

class MissingValueError extends Error {
  /** By this commander knows an error of the user. */
  readonly code = 'commander.invalidArgument';
  readonly exitCode = 1;

  constructor() {
    super('A value cannot begin with a dash. Write the value in front of the next flag.');
    this.name = 'MissingValueError';
  }
}
