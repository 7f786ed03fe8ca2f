import { Button, Checkbox, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../lib/i18n/t.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { SkuSelect } from '../skus/sku-select.tsx'
import { useSetShelf } from './production.api.ts'
import { checkLevels } from './shelf-levels.ts'

/** Chooses a SKU that is to be kept on the shelf from now on, and how many of it. */
export function KeepDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initialValues: {
      id: null as string | null,
      restock_point: '' as string | number,
      restock_to: '' as string | number,
      auto_produce: false,
    },
    validate: {
      id: (id) => (id === null ? t('Choose a SKU') : null),
      restock_to: (_, values) => checkLevels(values) ?? null,
    },
  })
  const save = useSetShelf()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: ({ id, restock_point, restock_to, auto_produce }) => ({
      id: id ?? '',
      body: { restock_point: Number(restock_point), restock_to: Number(restock_to), auto_produce },
    }),
    done: () => t('The SKU is kept on the shelf'),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Keep a SKU on the shelf')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">{t('Orders come first; units for the shelf come last.')}</Text>
          <SkuSelect required data-autofocus {...form.getInputProps('id')} />
          <NumberInput
            label={t('Fill up from')}
            description={t('Units in stock and on their way at which it is restocked')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            required
            {...form.getInputProps('restock_point')}
          />
          <NumberInput
            label={t('Up to')}
            description={t('Units that are then to be there')}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            required
            {...form.getInputProps('restock_to')}
          />
          <Checkbox
            label={t('Queue missing units automatically')}
            {...form.getInputProps('auto_produce', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('Keep it')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
