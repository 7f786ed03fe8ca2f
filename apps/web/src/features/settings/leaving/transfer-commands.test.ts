import { expect, test } from 'vitest'
import { exportCommand, importCommands } from './transfer-commands.ts'

test('the commands name the account, and an import is tried before it is done', () => {
  expect(exportCommand('acc_1')).toBe('npx printyard export --account acc_1 --to ./my-farm.tar.gz')
  expect(importCommands('acc_1')).toEqual([
    'npx printyard import ./my-farm.tar.gz --account acc_1 --dry-run',
    'npx printyard import ./my-farm.tar.gz --account acc_1',
  ])
})
