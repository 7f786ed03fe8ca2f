import { ProofDialog } from './proof-dialog.tsx'
import { SessionExpired, type SessionExpiredProps } from './session-expired.tsx'

/** What may be asked of the person over any page: that it is them, and to sign in again. */
export function SessionDialogs(props: SessionExpiredProps) {
  return (
    <>
      <ProofDialog />
      <SessionExpired {...props} />
    </>
  )
}
