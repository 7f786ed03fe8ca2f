import { Alert, Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../icon.tsx'
import { CopyLine } from './copy-line.tsx'
import './secret.css'

interface SecretProps {
  /** What it is: `API key`, `Invitation link`. */
  label: string
  value: string
}

/** A secret that the service tells once: shown in full, to be copied now. */
export function Secret({ label, value }: SecretProps) {
  return (
    <Alert
      color="yellow"
      variant="light"
      className="secret"
      title={t('{label}: shown only now', { label })}
      icon={<Icon name="key" />}
    >
      <Text size="sm">{t('Copy it to where it is needed. It cannot be shown again.')}</Text>
      <CopyLine value={value} mt="xs" />
    </Alert>
  )
}
