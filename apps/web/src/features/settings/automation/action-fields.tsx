import { ActionIcon, Button, Fieldset, Group, MultiSelect, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { t } from '../../../lib/i18n/t.ts'
import { Icon } from '../../../ui/icon.tsx'
import { actionWords } from './automation-words.ts'
import { type ActionValues, actionValues, type RuleValues } from './rule-values.ts'

/** Channels and webhooks that actions can name. */
export interface Receivers {
  channels: readonly { value: string; label: string }[]
  webhooks: readonly { value: string; label: string }[]
}

const mostActions = 5
const priorities = ['low', 'normal', 'high', 'urgent'].map((value) => ({
  value,
  label: `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}))

/** What a rule does, one after another. */
export function ActionFields({ form, receivers }: { form: UseFormReturnType<RuleValues>; receivers: Receivers }) {
  const { actions } = form.values
  return (
    <Fieldset legend={t('Then')}>
      {actions.map((action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action is known by its place alone
        <Group key={index} align="end" mb="sm" wrap="nowrap">
          <Group grow style={{ flex: 1 }} align="end">
            <Select
              label={t('Action {index}', { index: index + 1 })}
              data={Object.entries(actionWords).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              {...form.getInputProps(`actions.${index}.do`)}
            />
            <FieldsOf action={action} index={index} form={form} receivers={receivers} />
          </Group>
          {actions.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('Remove action {index}', { index: index + 1 })}
              onClick={() => form.removeListItem('actions', index)}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {actions.length < mostActions && (
        <Button
          variant="subtle"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => form.insertListItem('actions', actionValues({ do: 'create_task' }))}
        >
          {t('Add an action')}
        </Button>
      )}
    </Fieldset>
  )
}

function FieldsOf({
  action,
  index,
  form,
  receivers,
}: {
  action: ActionValues
  index: number
  form: UseFormReturnType<RuleValues>
  receivers: Receivers
}) {
  const props = (field: keyof ActionValues) => form.getInputProps(`actions.${index}.${field}`)
  const text = (
    <TextInput label={t('Text')} placeholder={t('Description of the problem')} maxLength={200} {...props('text')} />
  )
  if (action.do === 'send_message') {
    return (
      <>
        <MultiSelect label={t('Channels')} data={[...receivers.channels]} required {...props('channel_ids')} />
        {text}
      </>
    )
  }
  if (action.do === 'call_webhook') {
    return <Select label={t('Webhook')} data={[...receivers.webhooks]} required {...props('webhook_id')} />
  }
  if (action.do === 'create_task') return text
  if (action.do === 'set_order_priority') {
    return <Select label={t('Priority')} data={priorities} allowDeselect={false} {...props('priority')} />
  }
  return null
}
