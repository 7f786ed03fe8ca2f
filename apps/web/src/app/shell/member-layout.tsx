import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useAskedProof, useSessionExpired } from '../../features/session/session-questions.ts'
import { ConnectionContext } from '../../lib/live/connection.tsx'
import type { Connection } from '../../lib/live/live-stream.ts'
import { startLiveUpdates } from '../../lib/live/live-updates.ts'
import { whenPageStands } from '../../lib/page-stands.ts'
import { leaveTo, sessionQuery, useSession } from '../../lib/session.ts'
import { TimeZoneContext } from '../../ui/time.tsx'
import { liveNotes, livePatches, liveRules } from '../live-rules.ts'

const fetchDialogs = () => import('../../features/session/session-dialogs.tsx')

/** Fetched behind the page: forms and fields for passwords are a good part of the scripts, and nothing of it is seen at first. */
const SessionDialogs = lazy(async () => ({ default: (await fetchDialogs()).SessionDialogs }))

/** Around every page of people who are signed in: the account's clock, the stream of events, and the end of a session. */
export function MemberLayout() {
  const { account, session_id } = useSession()
  const queryClient = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  const [round, setRound] = useState(0)
  const [isExpired, onSignedIn] = useSessionExpired()
  const asked = useAskedProof()
  useEffect(
    () =>
      whenPageStands(() => {
        fetchDialogs().catch(() => {
          // They are asked for again when they are shown.
        })
      }),
    [],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: another session, another account or a new sign-in begins a new stream
  useEffect(
    () =>
      startLiveUpdates({
        queryClient,
        rules: liveRules,
        patches: livePatches,
        notes: liveNotes,
        onConnection: setConnection,
        // Asks for the session, which tells the whole page that it is over.
        onSignedOut: () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      }),
    [queryClient, account.id, session_id, round],
  )

  return (
    <TimeZoneContext value={account.time_zone}>
      <ConnectionContext value={connection}>
        <Outlet />
        {(isExpired || asked) && (
          <Suspense fallback={null}>
            <SessionDialogs
              asked={asked}
              isExpired={isExpired}
              onBack={() => {
                onSignedIn()
                setRound((value) => value + 1)
              }}
              onLeave={() => leaveTo('/sign-in')}
            />
          </Suspense>
        )}
      </ConnectionContext>
    </TimeZoneContext>
  )
}
