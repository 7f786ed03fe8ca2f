import { type Command, Option } from 'commander'
import type { Answer, AnswerOptions } from '../answer.ts'

/** What a command ends with. */
export interface ProgramParts {
  /** Prints what a command answers, and ends with its exit code. */
  answer(options: AnswerOptions, work: Promise<Answer>): Promise<void>
  end(exitCode: number): void
}

/** A command that does something, with what all of them have: `--json`, and an example under its help. */
export function leaf(parent: Command, name: string, example: string): Command {
  const command = parent.command(name).option('--json', 'print exactly one JSON document, for programs')
  const path = [...namesAbove(parent), name].join(' ')
  return command.addHelpText('after', `\nExample:\n  $ npx printyard ${path} ${example}`.trimEnd())
}

/** The words from the program to a command, without the program itself. */
function namesAbove(command: Command): string[] {
  return command.parent === null ? [] : [...namesAbove(command.parent), command.name()]
}

export function dataDirOption(): Option {
  return new Option('--data-dir <directory>', 'the data directory (default: PRINTYARD_DATA_DIR, else ./data)')
}

export function caFileOption(): Option {
  return new Option(
    '--ca-file <file>',
    "the authority of the service's certificate, where that is a local one (default: PRINTYARD_HUB_CA_FILE, else as joined)",
  )
}

export function hubDirOption(): Option {
  return new Option(
    '--data-dir <directory>',
    "the hub's own directory (default: PRINTYARD_HUB_DATA_DIR, else ./data/hub)",
  )
}
