import type { MemberRole } from '../test-dashboard.ts'
import type { Control } from './control.ts'

const missing = ' is missing'

/**
 * How what is shown to a person differs from the table: what is missing, what is there in spite of their role, and what
 * the table does not know.
 */
export function findControlFaults(shown: readonly string[], controls: readonly Control[], role: MemberRole): string[] {
  const own = controls.filter(({ who }) => who.includes(role))
  const absent = own
    .filter(({ name, isSeldom }) => !isSeldom && !shown.some((each) => isNamed(each, name)))
    .map(({ name }) => `${name}${missing}`)
  const excess = shown
    .filter((each) => !own.some(({ name }) => isNamed(each, name)))
    .map((each) =>
      controls.some(({ name }) => isNamed(each, name)) ? `${each} is not for them` : `${each} is unlisted`,
    )
  return [...absent, ...excess]
}

/** Whether a fault of `findControlFaults` is that something is not there, which may only be late. */
export const isMissing = (fault: string): boolean => fault.endsWith(missing)

function isNamed(shown: string, name: string | RegExp): boolean {
  return typeof name === 'string' ? shown === name : name.test(shown)
}
