import type { CommandKind } from './command-kinds.ts'
import { type FindProblem, makeFrameReader } from './frames.ts'
import type { ServiceMessage } from './messages.ts'
import { commandChecks, messageChecks } from './service-checks.generated.ts'

/** What one property must be; generated from its schema, because the library of schemas takes 30 MB of a hub's memory. */
interface PropertyCheck {
  optional: boolean
  fits: (value: unknown) => boolean
}
export type ObjectChecks = Readonly<Record<string, PropertyCheck>>

function findProblem(checks: ObjectChecks, value: object): string | undefined {
  for (const [name, { optional, fits }] of Object.entries(checks)) {
    const property: unknown = (value as Record<string, unknown>)[name]
    if (property === undefined) {
      if (!optional) return `/${name}: is missing`
    } else if (!fits(property)) return `/${name}: does not fit its schema`
  }
  return undefined
}

function findProblemOf(type: string): FindProblem | undefined {
  const checks = Object.hasOwn(messageChecks, type) ? messageChecks[type] : undefined
  return checks && ((frame) => findProblem(checks, frame))
}

/** Reads a frame that the service sent. */
export const readServiceFrame = makeFrameReader<ServiceMessage>(findProblemOf)

/** True when the arguments fit the kind; a command frame is read first, its arguments then. */
export function areCommandArguments(kind: CommandKind, args: unknown): boolean {
  return (
    typeof args === 'object' &&
    args !== null &&
    !Array.isArray(args) &&
    findProblem(commandChecks[kind], args) === undefined
  )
}
