import { Button, Code } from '@mantine/core'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { groupFingerprint } from '../../../lib/fingerprint.ts'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { useChangePrinter } from '../controls/use-printer-commands.ts'

interface TrustCertificateProps {
  printer: Pick<PrinterDetail, 'id' | 'name'>
  /** SHA-256 of the certificate that the hub does not believe. */
  fingerprint: string
}

/** Has the hub believe the certificate that a printer shows now, after its board was changed or it was reset. */
export function TrustCertificate({ printer: { id, name }, fingerprint }: TrustCertificateProps) {
  const confirm = useConfirm()
  const change = useChangePrinter(id)
  async function ask() {
    const isSure = await confirm({
      title: `Trust the certificate that ${name} shows now?`,
      body: (
        <>
          Only if its board was replaced or it was reset, and no one else could stand between it and the hub. From then
          on the hub believes this certificate and no other: <Code>{groupFingerprint(fingerprint)}</Code>
        </>
      ),
      confirmLabel: 'Trust this certificate',
      isDangerous: true,
    })
    if (!isSure) return
    change.mutate(
      { body: { pinned_fingerprint: fingerprint }, etag: undefined },
      {
        onSuccess: () => toastDone(`${name} is known by its new certificate`),
        onError: (error) => toastFailed(`The certificate of ${name} is not trusted`, error),
      },
    )
  }
  return (
    <Button size="sm" variant="default" mt="xs" loading={change.isPending} onClick={() => void ask()}>
      Trust the new certificate…
    </Button>
  )
}
