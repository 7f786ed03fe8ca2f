import { ActionIcon, Button, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { CostSettings } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useChangeCostSettings } from '../costs.api.ts'
import {
  type CostTexts,
  costChanges,
  minutesProblem,
  neededPriceProblem,
  priceProblem,
  readCosts,
  wattsProblem,
} from './cost-texts.ts'

interface CostSettingsFormProps {
  settings: CostSettings
  printers: readonly { value: string; label: string }[]
}

const platformOptions = [
  { value: 'shopify', label: 'Shopify' },
  { value: 'etsy', label: 'Etsy' },
  { value: 'woocommerce', label: 'WooCommerce' },
  { value: 'manual', label: t('By hand') },
  { value: 'other', label: t('Other') },
]

const named = (text: string) => (text.trim() === '' ? t('Is missing') : null)

const validate = {
  machine_hour_price: priceProblem,
  watts: wattsProblem,
  energy_price: priceProblem,
  labour_hour_price: priceProblem,
  plate_labour_seconds: minutesProblem,
  assembly_labour_seconds: minutesProblem,
  order_labour_seconds: minutesProblem,
  models: { model: named, machine_hour_price: priceProblem, watts: wattsProblem },
  printers: { printer_id: named, machine_hour_price: priceProblem, watts: wattsProblem },
  filaments: { filament_type: named, price: neededPriceProblem },
  platform_fees: { percent: priceProblem, fixed: priceProblem },
}

/** What things cost the farm. Only what was changed is sent. */
export function CostSettingsForm({ settings, printers }: CostSettingsFormProps) {
  const given = readCosts(settings)
  const form = useForm<CostTexts>({ mode: 'controlled', initialValues: given, validate })
  const changes = costChanges(given, form.values)
  const change = useChangeCostSettings()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: () => changes,
    done: () => t('The prices are saved'),
    // As the service writes them: what was typed as 0.60 is 0.6, and is changed no more.
    onDone: (saved) => form.setValues(readCosts(saved)),
  })
  const { currency } = settings
  const price = { inputMode: 'decimal', maxLength: 20 } as const
  /** The rows of a list. */
  const list = (
    name: 'models' | 'printers' | 'filaments' | 'platform_fees',
    row: (at: number) => ReactNode,
    { title, note, add, onAdd }: { title: string; note: string; add: string; onAdd: () => void },
  ) => (
    <section aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {note}
      </Text>
      <Stack gap="sm">
        {form.errors[name] !== undefined && <Text c="red">{form.errors[name]}</Text>}
        {form.values[name].map((_, at) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own while they are typed
            key={at}
            align="end"
            gap="sm"
            wrap="wrap"
            role="group"
            aria-label={t('{title}, row {at}', { title, at: at + 1 })}
          >
            {row(at)}
            <ActionIcon
              variant="default"
              size="input-sm"
              aria-label={t('Remove row {at} of {title}', { at: at + 1, title })}
              onClick={() => form.removeListItem(name, at)}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button variant="default" size="xs" leftSection={<Icon name="plus" size={16} />} onClick={onAdd}>
            {add}
          </Button>
        </Group>
      </Stack>
    </section>
  )
  const machine = (name: 'models' | 'printers', at: number) => (
    <>
      <TextInput
        label={t('Machine hour, in {currency}', { currency })}
        {...price}
        {...form.getInputProps(`${name}.${at}.machine_hour_price`)}
      />
      <TextInput label={t('Watts')} inputMode="numeric" maxLength={6} {...form.getInputProps(`${name}.${at}.watts`)} />
    </>
  )
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <FormProblem problem={problem} />
        <Stack className="form-narrow">
          <TextInput
            label={t('Currency of costs')}
            description={t('For all prices here. Another currency leaves the numbers as they are')}
            required
            maxLength={3}
            {...form.getInputProps('currency')}
          />
          <TextInput
            label={t('Machine hour, in {currency}', { currency })}
            description={t('Price of a printer over the hours that it lasts, spare parts, rent')}
            {...price}
            {...form.getInputProps('machine_hour_price')}
          />
          <TextInput
            label={t('Watts of a printer')}
            description={t('On average while it prints')}
            inputMode="numeric"
            maxLength={6}
            {...form.getInputProps('watts')}
          />
          <TextInput
            label={t('Kilowatt hour, in {currency}', { currency })}
            {...price}
            {...form.getInputProps('energy_price')}
          />
          <TextInput
            label={t('Hour of a person, in {currency}', { currency })}
            {...price}
            {...form.getInputProps('labour_hour_price')}
          />
          <TextInput
            label={t('Minutes for a plate')}
            description={t('To take it off and make the printer ready, where no task was timed')}
            {...price}
            {...form.getInputProps('plate_labour_seconds')}
          />
          <TextInput
            label={t('Minutes to put a unit together')}
            description={t('For products whose article gives no time')}
            {...price}
            {...form.getInputProps('assembly_labour_seconds')}
          />
          <TextInput
            label={t('Minutes for an order')}
            description={t('To pick and pack it, where no task was timed')}
            {...price}
            {...form.getInputProps('order_labour_seconds')}
          />
        </Stack>
        {list(
          'filaments',
          (at) => (
            <>
              <TextInput label={t('Type')} maxLength={100} {...form.getInputProps(`filaments.${at}.filament_type`)} />
              <TextInput
                label={t('Kilogram, in {currency}', { currency })}
                {...price}
                {...form.getInputProps(`filaments.${at}.price`)}
              />
            </>
          ),
          {
            title: t('Filament by type'),
            note: t('Counts where a spool has no price of its own.'),
            add: t('Add a filament type'),
            onAdd: () => form.insertListItem('filaments', { filament_type: '', price: '' }),
          },
        )}
        {list(
          'platform_fees',
          (at) => (
            <>
              <Select
                label={t('Platform')}
                data={platformOptions}
                allowDeselect={false}
                {...form.getInputProps(`platform_fees.${at}.platform`)}
              />
              <TextInput label={t('Share, in %')} {...price} {...form.getInputProps(`platform_fees.${at}.percent`)} />
              <TextInput
                label={t('For each order, in {currency}', { currency })}
                {...price}
                {...form.getInputProps(`platform_fees.${at}.fixed`)}
              />
            </>
          ),
          {
            title: t('Fees of platforms'),
            note: t('The share is of the amount that the customer pays, with tax and shipping.'),
            add: t('Add a fee'),
            onAdd: () => form.insertListItem('platform_fees', { platform: 'etsy', percent: '', fixed: '' }),
          },
        )}
        {list(
          'models',
          (at) => (
            <>
              <TextInput label={t('Model')} maxLength={100} {...form.getInputProps(`models.${at}.model`)} />
              {machine('models', at)}
            </>
          ),
          {
            title: t('Models of printers'),
            note: t('Values that differ for a model; an empty field is as above.'),
            add: t('Add a model'),
            onAdd: () => form.insertListItem('models', { model: '', machine_hour_price: '', watts: '' }),
          },
        )}
        {list(
          'printers',
          (at) => (
            <>
              <Select
                label={t('Printer')}
                data={[...printers]}
                searchable
                allowDeselect={false}
                {...form.getInputProps(`printers.${at}.printer_id`)}
              />
              {machine('printers', at)}
            </>
          ),
          {
            title: t('Single printers'),
            note: t('Values that differ for one printer; an empty field is as for its model.'),
            add: t('Add a printer'),
            onAdd: () => form.insertListItem('printers', { printer_id: '', machine_hour_price: '', watts: '' }),
          },
        )}
        <Group>
          <Button type="submit" loading={change.isPending} disabled={Object.keys(changes).length === 0}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
