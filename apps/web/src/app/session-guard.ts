import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { setupNeededQuery } from '../features/session/session.api.ts'
import { followLanguage } from '../lib/i18n/language.ts'
import { safeReturn } from '../lib/safe-return.ts'
import { parseSearchText } from '../lib/search-text.ts'
import { sessionQuery } from '../lib/session.ts'

/** Lets in who is signed in; others sign in first and come back here, and the very first sets the farm up. */
export async function requireSession(queryClient: QueryClient, location: ParsedLocation): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery)
  // The page begins again, in their language: nothing is drawn before it does.
  if (session && followLanguage(session.user.language, safeReturn(location.href))) await new Promise(() => undefined)
  if (session?.must_add_factor) throw redirect({ to: '/second-factor' })
  if (session) return
  const { needed } = await queryClient.fetchQuery(setupNeededQuery)
  // The service prints its own address with a code for the first person.
  const { setup } = parseSearchText(location.searchStr)
  if (needed) throw redirect({ to: '/setup', search: setup === undefined ? {} : { setup } })
  const path = safeReturn(location.href)
  throw redirect({ to: '/sign-in', search: path === '/' ? {} : { return: path } })
}

/** Lets in who is signed in, whether or not a second factor is still to be added. */
export async function requireFactor(queryClient: QueryClient): Promise<void> {
  if (!(await queryClient.ensureQueryData(sessionQuery))) throw redirect({ to: '/sign-in', search: {} })
}
