import type { Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { CreateAccountOptions } from '../commands/create-account.ts'
import type { MakeResetLinkOptions } from '../commands/make-reset-link.ts'
import type { MakeOwnerOptions, SetPasswordOptions } from '../commands/manage-users.ts'
import type { DataDirOption } from '../with-database.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands for accounts, and for people who cannot sign in any more. */
export function addPeopleCommands(program: Command, { answer }: ProgramParts): void {
  const accounts = program.command('accounts').description('Accounts: one farm each, apart from all others')
  leaf(accounts, 'create', '--name "My farm" --owner-email me@example.com')
    .description('Create an account with its owner')
    .requiredOption('--name <name>', 'name of the farm')
    .requiredOption('--owner-email <address>', 'address of its owner; a person known by this address owns it too')
    .option('--owner-password-stdin', "read the owner's password from standard input (12 to 200 characters)")
    .option('--time-zone <zone>', 'time zone of its days, such as Europe/Berlin (default: UTC)')
    .addOption(dataDirOption())
    .action(async (options: CreateAccountOptions & AnswerOptions) => {
      const { createAccount } = await import('../commands/create-account.ts')
      await answer(options, createAccount(options))
    })
  leaf(accounts, 'list', '--json')
    .description('List all accounts')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { listAccounts } = await import('../commands/list-accounts.ts')
      await answer(options, listAccounts(options))
    })

  const people = program.command('users').alias('people').description('People who cannot sign in any more')
  leaf(people, 'list', '--json')
    .description('List the people with their accounts and ways to sign in')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { listUsers } = await import('../commands/manage-users.ts')
      await answer(options, listUsers(options))
    })
  leaf(people, 'reset-link', 'me@example.com')
    .description('Create a link by which a person sets a new password; it is shown only this once')
    .argument('<email>', 'e-mail address by which the person signs in')
    .option('--url <url>', 'URL of the service (default: PRINTYARD_PUBLIC_URL, else this machine)')
    .addOption(dataDirOption())
    .action(async (email: string, options: MakeResetLinkOptions & AnswerOptions) => {
      const { makeResetLink } = await import('../commands/make-reset-link.ts')
      await answer(options, makeResetLink(email, options))
    })
  leaf(people, 'remove-second-factor', 'me@example.com')
    .description('Remove the authenticator app, its backup codes and the passkeys of a person who has lost them')
    .argument('<email>', 'e-mail address by which the person signs in')
    .addOption(dataDirOption())
    .action(async (email: string, options: DataDirOption & AnswerOptions) => {
      const { removeSecondFactor } = await import('../commands/remove-second-factor.ts')
      await answer(options, removeSecondFactor(email, options))
    })

  leaf(people, 'set-password', 'me@example.com --password-stdin')
    .description('Set the password of a person, and sign them out everywhere; a second factor stays')
    .argument('<email>', 'e-mail address by which the person signs in')
    .option('--password-stdin', 'read the password from standard input (12 to 200 characters)')
    .addOption(dataDirOption())
    .action(async (email: string, options: SetPasswordOptions & AnswerOptions) => {
      const { setUserPassword } = await import('../commands/manage-users.ts')
      await answer(options, setUserPassword(email, options))
    })
  leaf(people, 'make-owner', 'me@example.com --account acc_…')
    .description('Make a member an owner of the account, when no owner is left who could')
    .argument('<email>', 'e-mail address by which the person signs in')
    .requiredOption('--account <id>', 'the account')
    .option('--yes', 'skip the confirmation')
    .addOption(dataDirOption())
    .action(async (email: string, options: MakeOwnerOptions & AnswerOptions) => {
      const { makeUserOwner } = await import('../commands/manage-users.ts')
      await answer(options, makeUserOwner(email, options))
    })
  leaf(people, 'end-sessions', 'me@example.com')
    .description('Sign a person out everywhere')
    .argument('<email>', 'e-mail address by which the person signs in')
    .addOption(dataDirOption())
    .action(async (email: string, options: DataDirOption & AnswerOptions) => {
      const { endUserSessions } = await import('../commands/manage-users.ts')
      await answer(options, endUserSessions(email, options))
    })
}
