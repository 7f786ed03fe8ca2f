import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandArguments } from '../commands.ts'
import { hubMessages, serviceMessages } from '../messages.ts'
import type { MessageSchema } from './narrowings.ts'

const folder = join(import.meta.dirname, 'released')

/** What hub and service of one version say to each other: message or command → its schema. */
interface FrozenMessages {
  hub: Record<string, MessageSchema>
  service: Record<string, MessageSchema>
  commands: Record<string, MessageSchema>
}

/** As they are in the sources. */
export function currentMessages(): FrozenMessages {
  return JSON.parse(JSON.stringify({ hub: hubMessages, service: serviceMessages, commands: commandArguments }))
}

/** Version → as they were when it was released. */
export function listFrozen(): [version: string, FrozenMessages][] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.map((file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(join(folder, file), 'utf8'))])
}

// `node packages/protocol/src/test/frozen-messages.ts 0.2.0` freezes what the sources say, once for each release.
if (import.meta.main) {
  const [version] = process.argv.slice(2)
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version, such as 0.2.0.')
  writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(currentMessages())}\n`, { flag: 'wx' })
}
