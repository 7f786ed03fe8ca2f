import { Button, Code } from '@mantine/core'
import type { PrinterDetail } from '../../lib/api/api-schema.generated.ts'
import { findFingerprint, groupFingerprint } from '../../lib/fingerprint.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { toastDone, toastFailed } from '../../ui/toast.tsx'
import { useChangePrinter } from './use-printer-commands.ts'

interface TrustCertificateProps {
  printer: Pick<PrinterDetail, 'id' | 'name'>
  /** What the hub says of the certificate that it does not believe. */
  message: string
}

/** Has the hub believe the certificate that a printer shows now, after its board was changed or it was reset. */
export function TrustCertificate({ printer: { id, name }, message }: TrustCertificateProps) {
  const confirm = useConfirm()
  const change = useChangePrinter(id)
  const fingerprint = findFingerprint(message)
  // Older hubs do not say what they were shown.
  if (fingerprint === undefined) return null
  async function ask(shown: string) {
    const isSure = await confirm({
      title: `Trust the certificate that ${name} shows now?`,
      body: (
        <>
          Only if its board was replaced or it was reset, and nobody else could stand between it and the hub. From then
          on the hub believes this certificate and no other: <Code>{groupFingerprint(shown)}</Code>
        </>
      ),
      confirmLabel: 'Trust this certificate',
      isDangerous: true,
    })
    if (!isSure) return
    change.mutate(
      { body: { pinned_fingerprint: shown }, etag: undefined },
      {
        onSuccess: () => toastDone(`${name} is known by its new certificate`),
        onError: (error) => toastFailed(`The certificate of ${name} is not trusted`, error),
      },
    )
  }
  return (
    <Button size="sm" variant="default" mt="xs" loading={change.isPending} onClick={() => void ask(fingerprint)}>
      Trust the new certificate…
    </Button>
  )
}
