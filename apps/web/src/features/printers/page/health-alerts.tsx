import { Alert, Stack, Text } from '@mantine/core'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { TrustCertificate } from './trust-certificate.tsx'

/** What is wrong with a printer, and what to do about each. */
export function HealthAlerts({ printer }: { printer: PrinterDetail }) {
  const { health } = printer
  const mayChange = useMay('write')
  if (health.length === 0) return null
  return (
    <Stack gap="xs" mb="md">
      {health.map(({ problem, message, remedy, certificate_fingerprint: fingerprint, since, blocks_starts }) => (
        <Alert
          key={problem}
          color="red"
          variant="light"
          icon={<Icon name="warning" />}
          title={serviceSentence(message)}
          role="alert"
        >
          <Text size="sm">{serviceSentence(remedy)}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            <Rich text="Since {time}" values={{ time: <Time at={since} /> }} />
            {blocks_starts && t('. No job starts on it until then.')}
          </Text>
          {mayChange && problem === 'certificate_changed' && fingerprint !== null && (
            <TrustCertificate printer={printer} fingerprint={fingerprint} />
          )}
        </Alert>
      ))}
    </Stack>
  )
}
