import { Button, Code } from '@mantine/core'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { groupFingerprint } from '../../../lib/fingerprint.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
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
      title: t('Trust the certificate that {name} shows now?', { name }),
      body: (
        <>
          <Rich
            text="Only if its board was replaced or it was reset, and no one else could stand between it and the hub. From then on the hub believes this certificate and no other: {groupFingerprint}"
            values={{ groupFingerprint: <Code>{groupFingerprint(fingerprint)}</Code> }}
          />
        </>
      ),
      confirmLabel: t('Trust this certificate'),
      isDangerous: true,
    })
    if (!isSure) return
    change.mutate(
      { body: { pinned_fingerprint: fingerprint }, etag: undefined },
      {
        onSuccess: () => toastDone(t('{name} is known by its new certificate', { name })),
        onError: (error) => toastFailed(t('The certificate of {name} is not trusted', { name }), error),
      },
    )
  }
  return (
    <Button size="sm" variant="default" mt="xs" loading={change.isPending} onClick={() => void ask()}>
      {t('Trust the new certificate…')}
    </Button>
  )
}
