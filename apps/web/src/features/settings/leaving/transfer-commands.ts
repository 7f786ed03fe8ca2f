const archive = './my-farm.tar.gz'

/** The command that exports an account, as it is typed on the machine of the service. */
export function exportCommand(accountId: string): string {
  return `npx printyard export --account ${accountId} --to ${archive}`
}

/** The commands that import an export into an account: first what would be, then the import itself. */
export function importCommands(accountId: string): [string, string] {
  const command = `npx printyard import ${archive} --account ${accountId}`
  return [`${command} --dry-run`, command]
}
