import { Alert, Select, type SelectProps, Text } from '@mantine/core'
import type { Hub } from '../../lib/api/api-schema.generated.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'

export type HubChoice = Pick<Hub, 'id' | 'name' | 'is_online'>

interface HubInputProps extends Omit<SelectProps, 'data'> {
  /** Undefined: not read yet. */
  hubs: readonly HubChoice[] | undefined
}

/** The hub that reaches a printer; where the farm has none, the way to one. */
export function HubInput({ hubs, ...more }: HubInputProps) {
  if (hubs?.length === 0) {
    return (
      <Alert variant="light" color="yellow" title={t('No hub yet')}>
        <Text size="sm">
          <Rich
            text="A hub talks to the printers of its network. Without one this printer stays offline. <link>Set up a hub</link>"
            values={{ link: (words) => <LinkText to="/hubs">{words}</LinkText> }}
          />
        </Text>
      </Alert>
    )
  }
  return (
    <Select
      label={t('Hub')}
      description={t('The one that reaches this printer')}
      placeholder={t('None yet: it stays offline')}
      data={(hubs ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      clearable
      {...more}
    />
  )
}

/** With one hub, or one that is connected, there is nothing to choose. */
export function onlyHub(hubs: readonly HubChoice[]): HubChoice | undefined {
  const connected = hubs.filter(({ is_online }) => is_online)
  if (connected.length === 1) return connected[0]
  return hubs.length === 1 ? hubs[0] : undefined
}
