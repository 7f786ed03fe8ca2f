import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import type { ConnectionTest } from '../../lib/api/api-schema.generated.ts'
import { groupFingerprint } from '../../lib/fingerprint.ts'
import { serviceSentence } from '../../lib/i18n/service-sentence.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'

interface TestOutcomeProps {
  outcome: ConnectionTest
  isTrusting: boolean
  /** Takes the certificate with this fingerprint for the printer's own, and tries again. */
  onTrust: (fingerprint: string) => void
}

/** What came of trying a connection: what the printer says of itself, or what is wrong and what to do. */
export function TestOutcome({ outcome, isTrusting, onTrust }: TestOutcomeProps) {
  const { problem, certificate_fingerprint: fingerprint } = outcome
  if (!problem) {
    const facts = [
      outcome.model,
      outcome.serial && t('serial {serial}', { serial: outcome.serial }),
      outcome.firmware_version,
    ]
    return (
      <Alert color="green" variant="light" icon={<Icon name="check" />} title={t('The connection works')} role="status">
        <Text size="sm">{facts.filter(Boolean).join(' · ') || t('The printer says nothing more of itself.')}</Text>
        {fingerprint !== null && (
          <Text size="sm" mt={4}>
            {outcome.is_certificate_vouched
              ? t('Its certificate is vouched for.')
              : t('Only the certificate that it shows now will be believed.')}
          </Text>
        )}
      </Alert>
    )
  }
  const mayTrust =
    fingerprint !== null && (problem.reason === 'certificate_unknown' || problem.reason === 'certificate_changed')
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={serviceSentence(problem.message)}
      role="alert"
    >
      <Text size="sm">{problem.remedy}</Text>
      {mayTrust && (
        <Stack gap="xs" mt="sm" align="flex-start">
          <Text size="sm">
            {t(
              'It shows a certificate with this fingerprint. Trust it if you are sure that this is your printer: no one between hub and printer can then pose as it.',
            )}
          </Text>
          <Code block>{groupFingerprint(fingerprint)}</Code>
          <Button variant="default" size="sm" onClick={() => onTrust(fingerprint)} loading={isTrusting}>
            {t('Trust this certificate and test again')}
          </Button>
        </Stack>
      )}
    </Alert>
  )
}
