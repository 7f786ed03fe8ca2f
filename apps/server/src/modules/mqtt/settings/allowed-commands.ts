/** What may be asked of printers by MQTT, where the settings allow it. */
export const allowedCommands = ['pause', 'resume', 'stop', 'light'] as const
export type AllowedCommand = (typeof allowedCommands)[number]

/** A command as it comes in a message. */
const commandWords = ['pause', 'resume', 'stop', 'light_on', 'light_off'] as const
export type CommandWord = (typeof commandWords)[number]

/** Answers what must be allowed for a command. */
export function neededFor(word: CommandWord): AllowedCommand {
  return word === 'light_on' || word === 'light_off' ? 'light' : word
}

/** The command in a message; undefined for any other text. */
export function readCommand(payload: Buffer): CommandWord | undefined {
  if (payload.length > 64) return undefined
  const text = payload.toString('utf8').trim().toLowerCase()
  return commandWords.find((word) => word === text)
}
