import { type Scope, scopes } from '@printyard/server/kernel/actor'

/** Reads `read,write,control`: each at most once, in the order of the scopes. Undefined when one is not known, or none is left. */
export function readScopes(text: string): Scope[] | undefined {
  const asked = new Set(text.split(',').map((part) => part.trim()))
  const known = scopes.filter((scope) => asked.delete(scope))
  return asked.size === 0 && known.length > 0 ? known : undefined
}
