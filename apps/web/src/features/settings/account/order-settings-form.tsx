import { Button, Checkbox, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { OrderSettings } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeOrderSettings } from '../settings.api.ts'
import {
  autoProduceOptions,
  type OrderSettingsTexts,
  readOrderSettings,
  writeOrderSettings,
} from './order-settings-texts.ts'
import { weekdays } from './scheduler-texts.ts'

/** Currency of orders, and the time in which they are handled. Only what was changed is sent. */
export function OrderSettingsForm({ settings }: { settings: OrderSettings }) {
  const form = useForm<OrderSettingsTexts>({
    mode: 'controlled',
    initialValues: readOrderSettings(settings),
    validate: { working_days: (days) => (days.length === 0 ? t('Choose at least one day') : null) },
  })
  const change = useChangeOrderSettings()
  const before = writeOrderSettings(readOrderSettings(settings))
  const changes = changedFields(before, writeOrderSettings(form.values))
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: () => changes,
    done: () => t('The settings of orders are saved'),
  })
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput
          label={t('Currency')}
          description={t(
            'For orders without a currency; a code such as EUR. The first one that you save applies to all orders so far',
          )}
          required
          maxLength={3}
          {...form.getInputProps('currency')}
        />
        <NumberInput
          label={t('Handling days')}
          description={t('Working days from the day of an order until it is to be shipped; empty: only the shop says')}
          min={0}
          max={365}
          allowDecimal={false}
          {...form.getInputProps('handling_days')}
        />
        <Checkbox.Group label={t('Days on which orders are handled')} {...form.getInputProps('working_days')}>
          <Group gap="sm" mt="xs">
            {weekdays.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <Select
          label={t('Automatic production for orders')}
          description={t('Only what neither the stock nor jobs on their way cover')}
          data={[...autoProduceOptions]}
          allowDeselect={false}
          {...form.getInputProps('auto_produce')}
        />
        <Switch
          label={t('Ship lines as they become ready')}
          description={t('Off: an order is picked once all its units are in stock')}
          {...form.getInputProps('ship_lines_alone', { type: 'checkbox' })}
        />
        <Group>
          <Button type="submit" loading={change.isPending} disabled={Object.keys(changes).length === 0}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
