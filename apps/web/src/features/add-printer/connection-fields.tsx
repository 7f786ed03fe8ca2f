import { Button, Fieldset, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { families, familyOrder } from '../../lib/connections/connection-families.ts'
import { ConnectionInputs } from '../../lib/connections/connection-inputs.tsx'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import type { HubChoice } from './hub-input.tsx'
import { TestOutcome } from './test-outcome.tsx'
import type { PrinterConnection } from './use-connection.ts'

interface ConnectionFieldsProps {
  connection: PrinterConnection
  /** The hub that tries the connection; undefined: none is chosen. */
  hub: HubChoice | undefined
  /** Tries the connection, trusting the certificate of this fingerprint. */
  onTest: (fingerprint?: string) => void
  /** The choice of the hub, where there is one. */
  children: ReactNode
}

/** How the hub reaches a printer, tried on the spot. */
export function ConnectionFields({ connection, hub, onTest, children }: ConnectionFieldsProps) {
  const { type, texts, errors, outcome, isTesting } = connection
  const { preparation } = families[type]
  return (
    <Fieldset legend={hub ? t('Connection from {name}', { name: hub.name }) : t('Connection')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: children ? 2 : 1 }} spacing="sm">
          <Select
            label={t('Connection')}
            description={t('The maker of the printer, or its print server')}
            allowDeselect={false}
            data={familyOrder.map((value) => ({ value, label: families[value].label }))}
            value={type}
            onChange={(value) => connection.setType(familyOrder.find((each) => each === value) ?? type)}
            error={errors.connection_type}
          />
          {children}
        </SimpleGrid>
        {preparation !== undefined && (
          <Text size="sm" c="dimmed">
            {preparation}
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <ConnectionInputs type={type} values={texts} errors={errors} onChange={connection.setText} />
        </SimpleGrid>
        {hub && (
          <Group>
            <Button
              variant={outcome?.ok ? 'default' : 'filled'}
              leftSection={<Icon name="retry" size={16} />}
              onClick={() => onTest()}
              loading={isTesting}
              disabled={!hub.is_online}
            >
              {t('Test the connection')}
            </Button>
            <Text size="sm" c="dimmed">
              {hub.is_online
                ? t('Nothing moves. It takes up to 20 s.')
                : t('Not while {name} is offline.', { name: hub.name })}
            </Text>
          </Group>
        )}
        {outcome && <TestOutcome outcome={outcome} isTrusting={isTesting} onTrust={onTest} />}
      </Stack>
    </Fieldset>
  )
}
