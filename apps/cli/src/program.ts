import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { Answer, AnswerOptions } from './answer.ts'
import type { BackUpOptions, RestoreOptions } from './commands/back-up.ts'
import type { CreateAccountOptions } from './commands/create-account.ts'
import type { CreateHubOptions } from './commands/create-hub.ts'
import type { CreateKeyOptions } from './commands/create-key.ts'
import type { DiscoverPrintersOptions } from './commands/discover-printers.ts'
import type { DoctorOptions } from './commands/doctor.ts'
import type { ExportAccountOptions } from './commands/export-account.ts'
import type { ImportAccountOptions } from './commands/import-account.ts'
import type { ImportFromOptions } from './commands/import-from.ts'
import type { JoinHubOptions } from './commands/join-hub.ts'
import type { ListKeysOptions } from './commands/list-keys.ts'
import type { MakeResetLinkOptions } from './commands/make-reset-link.ts'
import type { MakeSelfSignedOptions } from './commands/make-self-signed.ts'
import type { MakeOwnerOptions, SetPasswordOptions } from './commands/manage-users.ts'
import type { McpOptions } from './commands/mcp.ts'
import type { PrintOpenApiOptions } from './commands/print-openapi.ts'
import type { RollBackOptions } from './commands/roll-back.ts'
import type { RunHubOptions } from './commands/run-hub.ts'
import type { ServeOptions } from './commands/serve.ts'
import type { SimulateOptions } from './commands/simulate.ts'
import { type Shell, shells, writeCompletion } from './completion.ts'
import { readDuration } from './duration.ts'
import { addRemoteCommands } from './remote/remote-commands.ts'
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

  leaf(program, 'serve', '--port 4400')
    .description('Run the service until it is stopped')
    .option('--host <address>', 'address to listen on (default: PRINTYARD_HOST, else 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes any free one (default: PRINTYARD_PORT, else 4400)')
    .addOption(dataDirOption())
    .option('--demo', 'fill an empty data directory with a farm of virtual printers, and keep it printing')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('./commands/serve.ts')
      end(await serve(options))
    })

  leaf(program, 'health', '')
    .description('Check whether the service on this machine is ready; the exit code is the answer')
    .action(async (options: AnswerOptions) => {
      const { readHealth } = await import('./commands/health.ts')
      await answer(options, readHealth())
    })

  const accounts = program.command('accounts').description('Accounts: one farm each, apart from all others')
  leaf(accounts, 'create', '--name "My farm" --owner-email me@example.com')
    .description('Create an account with its owner')
    .requiredOption('--name <name>', 'name of the farm')
    .requiredOption('--owner-email <address>', 'address of its owner; a person known by this address owns it too')
    .option('--owner-password-stdin', "read the owner's password from standard input (12 to 200 characters)")
    .option('--time-zone <zone>', 'time zone of its days, such as Europe/Berlin (default: UTC)')
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

  const people = program.command('users').alias('people').description('People who cannot sign in any more')
  leaf(people, 'list', '--json')
    .description('List the people with their accounts and ways to sign in')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { listUsers } = await import('./commands/manage-users.ts')
      await answer(options, listUsers(options))
    })
  leaf(people, 'reset-link', 'me@example.com')
    .description('Create a link by which a person sets a new password; it is shown only this once')
    .argument('<email>', 'e-mail address by which the person signs in')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_PUBLIC_URL, else this machine)')
    .addOption(dataDirOption())
    .action(async (email: string, options: MakeResetLinkOptions & AnswerOptions) => {
      const { makeResetLink } = await import('./commands/make-reset-link.ts')
      await answer(options, makeResetLink(email, options))
    })
  leaf(people, 'remove-second-factor', 'me@example.com')
    .description('Remove the authenticator app, its backup codes and the passkeys of a person who has lost them')
    .argument('<email>', 'e-mail address by which the person signs in')
    .addOption(dataDirOption())
    .action(async (email: string, options: DataDirOption & AnswerOptions) => {
      const { removeSecondFactor } = await import('./commands/remove-second-factor.ts')
      await answer(options, removeSecondFactor(email, options))
    })

  leaf(people, 'set-password', 'me@example.com --password-stdin')
    .description('Set the password of a person, and sign them out everywhere; a second factor stays')
    .argument('<email>', 'e-mail address by which the person signs in')
    .option('--password-stdin', 'read the password from standard input (12 to 200 characters)')
    .addOption(dataDirOption())
    .action(async (email: string, options: SetPasswordOptions & AnswerOptions) => {
      const { setUserPassword } = await import('./commands/manage-users.ts')
      await answer(options, setUserPassword(email, options))
    })
  leaf(people, 'make-owner', 'me@example.com --account acc_…')
    .description('Make a member an owner of the account, when no owner is left who could')
    .argument('<email>', 'e-mail address by which the person signs in')
    .requiredOption('--account <id>', 'the account')
    .option('--yes', 'skip the confirmation')
    .addOption(dataDirOption())
    .action(async (email: string, options: MakeOwnerOptions & AnswerOptions) => {
      const { makeUserOwner } = await import('./commands/manage-users.ts')
      await answer(options, makeUserOwner(email, options))
    })
  leaf(people, 'end-sessions', 'me@example.com')
    .description('Sign a person out everywhere')
    .argument('<email>', 'e-mail address by which the person signs in')
    .addOption(dataDirOption())
    .action(async (email: string, options: DataDirOption & AnswerOptions) => {
      const { endUserSessions } = await import('./commands/manage-users.ts')
      await answer(options, endUserSessions(email, options))
    })

  const keys = program.command('keys').description('API keys, by which other programs use the service')
  leaf(keys, 'create', '--account acc_… --name shop --scopes read,write --expires-in 90d')
    .description('Create an API key; it is shown only this once')
    .requiredOption('--account <id>', 'account that it opens')
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption('--scopes <list>', 'its scopes: read, write, control, separated by commas', parseScopes)
    .option(
      '--expires-in <time>',
      'time until it expires, such as 90d, 12h, 30m or 45s (default: never)',
      parseDuration,
    )
    .addOption(dataDirOption())
    .action(async (options: CreateKeyOptions & AnswerOptions) => {
      const { createKey } = await import('./commands/create-key.ts')
      await answer(options, createKey(options))
    })
  leaf(keys, 'list', '--account acc_…')
    .description('List the API keys of an account, the revoked and expired ones too')
    .requiredOption('--account <id>', 'account of the keys')
    .addOption(dataDirOption())
    .action(async (options: ListKeysOptions & AnswerOptions) => {
      const { listKeys } = await import('./commands/list-keys.ts')
      await answer(options, listKeys(options))
    })
  leaf(keys, 'revoke', 'key_…')
    .description('Revoke an API key for good, from its next request on')
    .argument('<id>', 'ID of the key, not the key itself')
    .addOption(dataDirOption())
    .action(async (id: string, options: DataDirOption & AnswerOptions) => {
      const { revokeKey } = await import('./commands/revoke-key.ts')
      await answer(options, revokeKey(id, options))
    })

  const secretKey = program.command('secret-key').description('The key that encrypts stored secrets')
  leaf(secretKey, 'rotate', '')
    .description('Create a new key and encrypt the stored secrets with it; the service must be stopped')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { rotateKey } = await import('./commands/rotate-secret-key.ts')
      await answer(options, rotateKey(options))
    })
  leaf(secretKey, 'forget-former', '')
    .description('End a rotation: secrets that only the former key decrypts are lost')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { forgetFormerKey } = await import('./commands/rotate-secret-key.ts')
      await answer(options, forgetFormerKey(options))
    })

  const hubs = program.command('hubs').description('Hubs, as the service knows them')
  leaf(hubs, 'create', '--account acc_… --name "Workshop hub"')
    .description('Create a hub with its token, which is shown only this once')
    .requiredOption('--account <id>', 'account whose printers it runs')
    .requiredOption('--name <name>', 'name of the hub, unique in the account')
    .addOption(dataDirOption())
    .action(async (options: CreateHubOptions & AnswerOptions) => {
      const { createHub } = await import('./commands/create-hub.ts')
      await answer(options, createHub(options))
    })

  const hub = program.command('hub').description("This machine as a hub on the printers' network")
  leaf(hub, 'join', 'https://farm.example.com K7PM2QXA')
    .description('Exchange a join code for the token of this hub, and store it here')
    .argument('<url>', 'URL of the service')
    .argument('<code>', 'join code of the dashboard')
    .option('--ca-fingerprint <sha256>', 'fingerprint of the authority of its certificate, where that is a local one')
    .addOption(caFileOption())
    .addOption(hubDirOption())
    .action(async (url: string, code: string, options: JoinHubOptions & AnswerOptions) => {
      const { joinHub } = await import('./commands/join-hub.ts')
      await answer(options, joinHub(url, code, options))
    })
  leaf(hub, 'run', '--virtual 8 --speed 100')
    .description('Run the hub until it is stopped')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_HUB_URL, else as joined)')
    .option('--token <token>', 'token of the hub (default: PRINTYARD_HUB_TOKEN, else as joined)')
    .addOption(caFileOption())
    .addOption(hubDirOption())
    .option('--virtual <count>', 'simulated printers to offer to the service (default: 0)')
    .option('--speed <factor>', 'speed of virtual printers, as a multiple of real time (default: 1)')
    .action(async (options: RunHubOptions & AnswerOptions) => {
      const { spareMemory } = await import('./spare-memory.ts')
      spareMemory()
      const { runHub } = await import('./commands/run-hub.ts')
      await answer(options, runHub(options))
    })
  leaf(hub, 'discover', '--address 192.168.1.20')
    .description("Search for printers on this machine's network")
    .option('--address <address>', 'further address to search, with or without a port')
    .option('--seconds <count>', 'seconds to wait for announcements (default: 10)')
    .addOption(hubDirOption())
    .action(async (options: DiscoverPrintersOptions & AnswerOptions) => {
      const { discoverPrinters } = await import('./commands/discover-printers.ts')
      await answer(options, discoverPrinters(options))
    })

  leaf(program, 'simulate', 'moonraker --count 3 --speed 60')
    .description('Run simulated printers that speak the protocol of a family, to try a farm without hardware')
    .argument('<family>', 'octoprint, moonraker, prusalink, bambu, elegoo, elegoo-cc2, creality, or all')
    .option('--count <number>', 'number of printers of the family', '1')
    .option('--speed <factor>', 'their speed, as a multiple of real time', '1')
    .option('--seed <number>', 'seed of their serials, credentials and temperatures', '1')
    .option('--port <number>', 'first port; each printer takes three in a row. 0 takes any free ones', '0')
    .action(async (family: string, options: SimulateOptions) => {
      const { simulate } = await import('./commands/simulate.ts')
      end(await simulate(family, options))
    })

  leaf(program, 'mcp', '--url https://farm.example.com')
    .description('Serve the farm to an agent by MCP at standard input and output; the API key is in PRINTYARD_API_KEY')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_URL, else http://127.0.0.1:4400)')
    .option('--http <port>', 'serve by HTTP at this port of 127.0.0.1 instead; 0 takes any free one')
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import('./commands/mcp.ts')
      await serveMcp(options)
    })

  leaf(program, 'backup', '--to /media/backups')
    .description('Back up everything except the secret key, also while the service runs')
    .option(
      '--to <folder>',
      'folder for backups, or s3://BUCKET/PREFIX (default: PRINTYARD_BACKUP_DIR, else backups in the data directory)',
    )
    .option('--passphrase-file <file>', 'encrypt it with the passphrase in this file')
    .option('--copy-secret-key-to <file>', 'copy the secret key as well, to a file apart from the backup')
    .addOption(dataDirOption())
    .action(async (options: BackUpOptions & AnswerOptions) => {
      const { backUp } = await import('./commands/back-up.ts')
      await answer(options, backUp(options))
    })
  leaf(program, 'restore', '/media/backups/backup-2026-11-23T02-00-00Z --data-dir ./restored')
    .description('Restore a backup into an empty data directory')
    .argument('<backup>', 'folder of the backup')
    .option('--passphrase-file <file>', 'file with its passphrase, where it is encrypted')
    .option('--secret-key-file <file>', 'your copy of secret.key (default: one that lies beside the backup)')
    .option('--without-secret-key', 'restore without the key: stored secrets of printers must be entered again')
    .addOption(dataDirOption())
    .action(async (from: string, options: RestoreOptions & AnswerOptions) => {
      const { restore } = await import('./commands/back-up.ts')
      await answer(options, restore(from, options))
    })

  leaf(program, 'rollback', '--data-dir ./data')
    .description('Restore the database from the snapshot before an upgrade; the service must be stopped')
    .option('--snapshot <name>', 'name of the snapshot (default: the newest before an upgrade)')
    .option('--discard-newer', 'restore although rows were written since; they are kept aside')
    .addOption(dataDirOption())
    .action(async (options: RollBackOptions & AnswerOptions) => {
      const { rollBack } = await import('./commands/roll-back.ts')
      await answer(options, rollBack(options))
    })

  leaf(program, 'export', '--account acc_… --to ./my-farm')
    .description('Export all of an account: rows as JSON Lines, spreadsheets and files, without any secret')
    .requiredOption('--account <id>', 'account to export')
    .requiredOption('--to <path>', 'a new folder, or a new file that ends in .tar.gz')
    .addOption(dataDirOption())
    .action(async (options: ExportAccountOptions & AnswerOptions) => {
      const { exportAccount } = await import('./commands/export-account.ts')
      await answer(options, exportAccount(options))
    })
  const importing = leaf(program, 'import', './my-farm --account acc_… --dry-run')
    .description('Import an export of another service into an empty account, or the data of another program')
    .enablePositionalOptions()
    .argument('<path>', 'folder or .tar.gz that `printyard export` wrote')
    // Required, but not so that the commands below it would have to have it as well.
    .option('--account <id>', 'account that receives the export')
    .option('--dry-run', 'preview the import without writing anything')
    .addOption(dataDirOption())
    .action(async (path: string, options: ImportAccountOptions & AnswerOptions) => {
      const { importAccount } = await import('./commands/import-account.ts')
      await answer(options, importAccount(path, options))
    })
  leaf(importing, 'from', 'fdm-monster export.yaml --account acc_… --dry-run')
    .description('Import printers, spools, products or stock of another program; existing ones are left unchanged')
    .addArgument(new Argument('<program>', 'which one').choices(importSources))
    .argument('<paths...>', 'its export or database; for Spoolman also its address')
    .requiredOption('--account <id>', 'account to import into')
    .option('--model <name>', 'model of printers whose source does not know it', 'Unknown')
    .option('--dry-run', 'preview the outcome of every row without writing anything')
    .addOption(dataDirOption())
    .action(async (program: ImportSource, paths: string[], options: ImportFromOptions & AnswerOptions) => {
      const { importFrom } = await import('./commands/import-from.ts')
      await answer(options, importFrom(program, paths, options))
    })
  const tls = program.command('tls').description('The certificate of the service, for HTTPS without a proxy')
  leaf(tls, 'self-signed', '--host farm.lan')
    .description(
      'Create a certificate for this machine in its networks, with a local authority that phones and hubs can trust',
    )
    .option('--host <name...>', 'further names or addresses by which it is reached')
    .option('--renew', 'issue another one from the same authority; a running service picks it up')
    .option('--new-authority', 'create another authority too; every device and hub must trust it again')
    .addOption(dataDirOption())
    .action(async (options: MakeSelfSignedOptions & AnswerOptions) => {
      const { makeSelfSignedCertificate } = await import('./commands/make-self-signed.ts')
      await answer(options, makeSelfSignedCertificate(options))
    })

  leaf(program, 'doctor', '--json')
    .description('Check this installation for problems, and name the remedies')
    .addOption(dataDirOption())
    .option('--bundle [file]', 'write a support bundle, without secrets and personal data')
    .action(async (options: DoctorOptions & AnswerOptions) => {
      const { runDoctor } = await import('./commands/doctor.ts')
      await answer(options, runDoctor(options))
    })

  leaf(program, 'openapi', '--output openapi.json')
    .description('Print the OpenAPI document of the public API')
    .option('--output <file>', 'write it to this file instead')
    .option('--no-examples', 'omit the examples')
    .action(async (options: PrintOpenApiOptions & AnswerOptions) => {
      const { printOpenApi } = await import('./commands/print-openapi.ts')
      await answer(options, printOpenApi(options))
    })

  addRemoteCommands(program, { leaf, answer, end })

  leaf(program, 'completion', 'bash > ~/.local/share/bash-completion/completions/printyard')
    .description('Print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .action(async (shell: Shell, options: AnswerOptions) => {
      const script = writeCompletion(program, shell)
      await answer(options, Promise.resolve({ document: { shell, script }, text: script.trimEnd() }))
    })

  return program
}

/** A command that does something, with what all of them have: `--json`, and an example under its help. */
function leaf(parent: Command, name: string, example: string): Command {
  const command = parent.command(name).option('--json', 'print exactly one JSON document, for programs')
  const path = [...namesAbove(parent), name].join(' ')
  return command.addHelpText('after', `\nExample:\n  $ npx printyard ${path} ${example}`.trimEnd())
}

/** The words from the program to a command, without the program itself. */
function namesAbove(command: Command): string[] {
  return command.parent === null ? [] : [...namesAbove(command.parent), command.name()]
}

/** As `readSource` of the service knows them, which is loaded when it is needed. */
const importSources = ['fdm-monster', 'octofarm', 'spoolman', 'csv'] as const
type ImportSource = (typeof importSources)[number]

function dataDirOption(): Option {
  return new Option('--data-dir <directory>', 'the data directory (default: PRINTYARD_DATA_DIR, else ./data)')
}

function caFileOption(): Option {
  return new Option(
    '--ca-file <file>',
    "the authority of the service's certificate, where that is a local one (default: PRINTYARD_HUB_CA_FILE, else as joined)",
  )
}

function hubDirOption(): Option {
  return new Option(
    '--data-dir <directory>',
    "the hub's own directory (default: PRINTYARD_HUB_DATA_DIR, else ./data/hub)",
  )
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
