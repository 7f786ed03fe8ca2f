import { useEffect, useState } from 'react'
import { onProofRequired, onSignedOut } from '../../lib/api/api.ts'
import type { ApiError } from '../../lib/api/api-error.ts'
import type { ProofMethod } from './session.api.ts'

// A page holds what its calls need of its person by itself: the dialogs that ask are fetched behind it, and a call may need one before
// it is there.

/** Whether a call has found that no one is signed in any more, and what says that the same person is again. */
export function useSessionExpired(): [isExpired: boolean, onSignedIn: () => void] {
  const [isExpired, setIsExpired] = useState(false)
  useEffect(() => onSignedOut(() => setIsExpired(true)), [])
  return [isExpired, () => setIsExpired(false)]
}

/** A proof that a call waits for. */
export interface AskedProof {
  methods: ProofMethod[]
  answer: (isProven: boolean) => void
}

/** The proof that calls of the page wait for now. Several calls at once ask once. */
export function useAskedProof(): AskedProof | undefined {
  const [asked, setAsked] = useState<AskedProof>()
  useEffect(() => {
    let pending: Promise<boolean> | undefined
    return onProofRequired((error) => {
      pending ??= new Promise<boolean>((resolve) => {
        const answer = (isProven: boolean) => {
          pending = undefined
          setAsked(undefined)
          resolve(isProven)
        }
        setAsked({ methods: methodsOf(error), answer })
      })
      return pending
    })
  }, [])
  return asked
}

function methodsOf({ details }: ApiError): ProofMethod[] {
  const { methods } = (details ?? {}) as { methods?: ProofMethod[] }
  return methods ?? []
}
