import { ProofDialog } from './proof-dialog.tsx'
import { SessionExpired, type SessionExpiredProps } from './session-expired.tsx'
import type { AskedProof } from './session-questions.ts'

interface SessionDialogsProps extends SessionExpiredProps {
  asked: AskedProof | undefined
}

/** What may be asked of the person over any page: that it is them, and to sign in again. */
export function SessionDialogs({ asked, ...expired }: SessionDialogsProps) {
  return (
    <>
      <ProofDialog asked={asked} />
      <SessionExpired {...expired} />
    </>
  )
}
