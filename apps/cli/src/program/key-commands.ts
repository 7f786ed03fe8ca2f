import { type Command, InvalidArgumentError } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { CreateKeyOptions } from '../commands/create-key.ts'
import type { ListKeysOptions } from '../commands/list-keys.ts'
import { readDuration } from '../duration.ts'
import { readScopes } from '../scope-list.ts'
import type { DataDirOption } from '../with-database.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands for API keys, and for the key that encrypts stored secrets. */
export function addKeyCommands(program: Command, { answer }: ProgramParts): void {
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
      const { createKey } = await import('../commands/create-key.ts')
      await answer(options, createKey(options))
    })
  leaf(keys, 'list', '--account acc_…')
    .description('List the API keys of an account, the revoked and expired ones too')
    .requiredOption('--account <id>', 'account of the keys')
    .addOption(dataDirOption())
    .action(async (options: ListKeysOptions & AnswerOptions) => {
      const { listKeys } = await import('../commands/list-keys.ts')
      await answer(options, listKeys(options))
    })
  leaf(keys, 'revoke', 'key_…')
    .description('Revoke an API key for good, from its next request on')
    .argument('<id>', 'ID of the key, not the key itself')
    .addOption(dataDirOption())
    .action(async (id: string, options: DataDirOption & AnswerOptions) => {
      const { revokeKey } = await import('../commands/revoke-key.ts')
      await answer(options, revokeKey(id, options))
    })

  const secretKey = program.command('secret-key').description('The key that encrypts stored secrets')
  leaf(secretKey, 'rotate', '')
    .description('Create a new key and encrypt the stored secrets with it; the service must be stopped')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { rotateKey } = await import('../commands/rotate-secret-key.ts')
      await answer(options, rotateKey(options))
    })
  leaf(secretKey, 'forget-former', '')
    .description('End a rotation: secrets that only the former key decrypts are lost')
    .addOption(dataDirOption())
    .action(async (options: DataDirOption & AnswerOptions) => {
      const { forgetFormerKey } = await import('../commands/rotate-secret-key.ts')
      await answer(options, forgetFormerKey(options))
    })
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
