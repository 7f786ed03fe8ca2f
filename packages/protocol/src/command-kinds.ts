/** What a printer can be asked to do; `commandArguments` says with what. */
export const commandKinds = [
  'print',
  'pause',
  'resume',
  'stop',
  'heaters',
  'light',
  'load_filament',
  'unload_filament',
] as const
export type CommandKind = (typeof commandKinds)[number]
