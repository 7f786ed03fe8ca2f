import { useState } from 'react'
import type { ConnectionTest, DiscoveredPrinter } from '../../lib/api/api-schema.generated.ts'
import {
  type ConnectionTexts,
  type ConnectionType,
  connectionOf,
  missingFields,
  textsOfFound,
} from '../../lib/connections/connection-families.ts'
import { useTestConnection } from './add-printer.api.ts'

/** The way to a printer as it stands in the form, and what came of trying it. A change of it voids what was tried. */
export function useConnection(found: DiscoveredPrinter | undefined) {
  const [type, setType] = useState<ConnectionType>(found?.connection_type ?? 'bambu')
  const [texts, setTexts] = useState<ConnectionTexts>(() => (found ? textsOfFound(found) : {}))
  const [pinned, setPinned] = useState<string>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const test = useTestConnection()
  const outcome = test.data

  function change(apply: () => void) {
    apply()
    setPinned(undefined)
    setErrors({})
    test.reset()
  }

  /** By the serial number the printer is known again at another address, and as the one that was found. */
  function sent(fingerprint: string | undefined, told: string | null | undefined) {
    const isAsFound = found?.connection_type === type && (found.address ?? '') === (texts.address ?? '')
    const serial = told ?? (isAsFound ? found.serial : null)
    return {
      ...(serial !== null && { serial }),
      ...connectionOf(type, texts),
      ...(fingerprint !== undefined && { pinned_fingerprint: fingerprint }),
    }
  }

  return {
    type,
    texts,
    errors,
    setErrors,
    outcome,
    isTesting: test.isPending,
    setType: (next: ConnectionType) => change(() => setType(next)),
    setText: (name: string, value: string) => change(() => setTexts({ ...texts, [name]: value })),
    /** Another hub may reach another network. */
    forgetTest: () => change(() => undefined),
    /** Marks fields that are needed and empty; true when there are none. */
    isComplete(): boolean {
      const missing = missingFields(type, texts)
      setErrors(missing)
      return Object.keys(missing).length === 0
    },
    /** What is stored: the certificate and the serial number that the test brought, too. */
    body: () => sent(pinned, outcome?.ok ? outcome.serial : null),
    /** Tries it, trusting the certificate of this fingerprint, or of the test before. */
    try(
      hubId: string,
      on: {
        onWorks: (outcome: ConnectionTest, body: ReturnType<typeof sent>) => void
        onError: (error: Error) => void
      },
      fingerprint = pinned,
    ) {
      test.mutate(
        { hubId, connection_type: type, connection: sent(fingerprint, undefined) },
        {
          onSuccess: (answer) => {
            if (!answer.ok) return
            const { certificate_fingerprint: shown, is_certificate_vouched: isVouched } = answer
            const toPin = shown !== null && isVouched !== true ? shown : undefined
            if (toPin !== undefined) setPinned(toPin)
            on.onWorks(answer, sent(toPin ?? fingerprint, answer.serial))
          },
          onError: on.onError,
        },
      )
    },
  }
}

export type PrinterConnection = ReturnType<typeof useConnection>
