import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { Answer, AnswerOptions } from './answer.ts'
import type { CreateAccountOptions } from './commands/create-account.ts'
import type { CreateKeyOptions } from './commands/create-key.ts'
import type { ListKeysOptions } from './commands/list-keys.ts'
import { readDuration } from './duration.ts'
import { readScopes } from './scope-list.ts'
import type { DataDirOption } from './with-database.ts'

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

function describeProgram(end: (exitCode: number) => void): Command {
  /** Prints what a command answers. */
  async function answer(options: AnswerOptions, work: Promise<Answer>): Promise<void> {
    const { printAnswer } = await import('./answer.ts')
    end(printAnswer(await work, options))
  }

  const program = new Command('printyard')
    .description('Runs 3D-print farms: the service, its accounts and keys, and the hub beside the printers.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError('Add --help to see how it is used.')

  const accounts = program.command('accounts').description('Accounts: one farm each, apart from all others')
  leaf(accounts, 'create', '--name "My farm" --owner-email me@example.com')
    .description('Make an account with its owner')
    .requiredOption('--name <name>', 'what the farm is called')
    .requiredOption('--owner-email <address>', 'who owns it; somebody known by this address owns it too')
    .option('--owner-password-stdin', "read the owner's password from standard input (10 to 200 characters)")
    .option('--time-zone <zone>', 'in which its days begin and end, such as Europe/Berlin (default: UTC)')
    .addOption(dataDirOption())
    .action(async (options: CreateAccountOptions & AnswerOptions) => {
      const { createAccount } = await import('./commands/create-account.ts')
      await answer(options, createAccount(options))
    })
  leaf(accounts, 'list', '--json')
    .description('List all accounts')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { listAccounts } = await import('./commands/list-accounts.ts')
      await answer(options, listAccounts(options))
    })

  const keys = program.command('keys').description('API keys: how other programs come in')
  leaf(keys, 'create', '--account acc_… --name shop --scopes read,write --expires-in 90d')
    .description('Make an API key; it is shown only this once')
    .requiredOption('--account <id>', 'the account it opens')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <list>', 'what it may do: read, write, control, with commas between', parseScopes)
    .option('--expires-in <time>', 'when it ends, such as 90d, 12h, 30m or 45s (default: never)', parseDuration)
    .addOption(dataDirOption())
    .action(async (options: CreateKeyOptions & AnswerOptions) => {
      const { createKey } = await import('./commands/create-key.ts')
      await answer(options, createKey(options))
    })
  leaf(keys, 'list', '--account acc_…')
    .description('List the API keys of an account, the revoked and expired ones too')
    .requiredOption('--account <id>', 'whose keys')
    .addOption(dataDirOption())
    .action(async (options: ListKeysOptions & AnswerOptions) => {
      const { listKeys } = await import('./commands/list-keys.ts')
      await answer(options, listKeys(options))
    })
  leaf(keys, 'revoke', 'key_…')
    .description('End an API key for good, from its very next request on')
    .argument('<id>', 'the ID of the key, not the key itself')
    .addOption(dataDirOption())
    .action(async (id: string, options: DataDirOption & AnswerOptions) => {
      const { revokeKey } = await import('./commands/revoke-key.ts')
      await answer(options, revokeKey(id, options))
    })

  return program
}

/** A command that does something, with what all of them have: `--json`, and an example under its help. */
function leaf(parent: Command, name: string, example: string): Command {
  const command = parent.command(name).option('--json', 'print exactly one JSON document, for programs')
  const path = parent.parent === null ? name : `${parent.name()} ${name}`
  return command.addHelpText('after', `\nExample:\n  $ npx printyard ${path} ${example}`.trimEnd())
}

function dataDirOption(): Option {
  return new Option('--data-dir <directory>', 'the data directory (default: PRINTYARD_DATA_DIR, else ./data)')
}

function parseDuration(text: string): number {
  const ms = readDuration(text)
  if (ms === undefined) throw new InvalidArgumentError('Write a number with s, m, h or d, at most 3650d, such as 90d.')
  return ms
}

function parseScopes(text: string) {
  const scopes = readScopes(text)
  if (scopes === undefined) {
    throw new InvalidArgumentError('Give read, write or control, or several with commas between.')
  }
  return scopes
}
