import { Argument, Command, CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { Answer, AnswerOptions } from './answer.ts'
import { type Shell, shells, writeCompletion } from './completion.ts'
import { addBackupCommands } from './program/backup-commands.ts'
import { addHubCommands } from './program/hub-commands.ts'
import { addInstallationCommands } from './program/installation-commands.ts'
import { addKeyCommands } from './program/key-commands.ts'
import { addPeopleCommands } from './program/people-commands.ts'
import { leaf } from './program/program-parts.ts'
import { addServiceCommands } from './program/service-commands.ts'
import { addToolCommands } from './program/tool-commands.ts'
import { addTransferCommands } from './program/transfer-commands.ts'
import { addRemoteCommands } from './remote/remote-commands.ts'

/**
 * Runs one command line and gives its exit code: 0 done, 1 not done, 2 asked for wrongly or a setting is wrong. What each
 * command needs is loaded when it is run, so that help and small commands come at once.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = describeProgram((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has said what is wrong, or has shown the help or the version that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { explainFailure } = await import('./failure.ts')
    const failure = explainFailure(error)
    process.stderr.write(`${failure.text}\n`)
    return failure.exitCode
  }
}

export function describeProgram(end: (exitCode: number) => void): Command {
  /** Prints what a command answers. */
  async function answer(options: AnswerOptions, work: Promise<Answer>): Promise<void> {
    const { printAnswer } = await import('./answer.ts')
    end(printAnswer(await work, options))
  }

  const program = new Command('printyard')
    .description('Runs 3D-print farms: the service, its accounts and keys, and the hub beside the printers.')
    .version(packageJson.version)
    // `import` has options and commands: what follows the name of a command is that command's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError('Add --help to see how it is used.')

  const parts = { answer, end }
  addServiceCommands(program, parts)
  addPeopleCommands(program, parts)
  addKeyCommands(program, parts)
  addHubCommands(program, parts)
  addToolCommands(program, parts)
  addBackupCommands(program, parts)
  addTransferCommands(program, parts)
  addInstallationCommands(program, parts)
  addRemoteCommands(program, parts)

  leaf(program, 'completion', 'bash > ~/.local/share/bash-completion/completions/printyard')
    .description('Print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .action(async (shell: Shell, options: AnswerOptions) => {
      const script = writeCompletion(program, shell)
      await answer(options, Promise.resolve({ document: { shell, script }, text: script.trimEnd() }))
    })

  return program
}
