import {
  Button,
  Checkbox,
  ColorInput,
  Fieldset,
  Group,
  Modal,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { Product } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { lineProblem } from '../../../ui/forms/line-problem.ts'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MaterialLines } from '../bom/material-lines.tsx'
import { type KitValues, kitBodyOf, kitValuesOf, newPart, newVariant } from './kit-values.ts'

interface KitDialogProps {
  /** The product that is a kit, or becomes one; undefined: a new one. */
  product?: Product
  /** Chooses a print file. */
  fileInput: (props: { value: string | null; onChange: (id: string | null) => void; error: ReactNode }) => ReactNode
  onClose: () => void
  onSaved?: (product: Product) => void
}

/** Makes a kit, or changes one: its variants, what it is put together from, and what goes with it. */
export function KitDialog({ product, fileInput, onClose, onSaved }: KitDialogProps) {
  const queryClient = useQueryClient()
  const form = useForm<KitValues>({ initialValues: kitValuesOf(product) })
  const { variants, parts, bundle_extras } = form.values
  const save = useMutation({
    mutationFn: (values: KitValues) => {
      const body = kitBodyOf(values)
      if (!product) return api.call('POST /products/kit', { body })
      return api.call('PUT /products/{id}/kit', { params: { id: product.id }, body })
    },
    onSettled: () => {
      for (const key of ['products', 'skus', 'stock', 'recipes'])
        void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: ({ name }) => t('The kit {name} is saved', { name }),
    onDone: (saved) => {
      onClose()
      onSaved?.(saved)
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={product ? t('The kit {name}', { name: product.name }) : t('Add a kit')}
      size="xl"
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={lineProblem(problem, form.errors, ['variants', 'parts', 'bundle_extras'])} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('Name')} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
            <TextInput
              label={t('Category')}
              placeholder={t('None')}
              maxLength={100}
              {...form.getInputProps('category')}
            />
          </SimpleGrid>
          <Textarea
            label={t('Description')}
            autosize
            minRows={1}
            maxLength={5000}
            {...form.getInputProps('description')}
          />
          {variants.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a new variant has no other name, and is taken out by its place.
            <Fieldset key={index} legend={t('Variant {index}', { index: index + 1 })}>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <TextInput
                  label={t('Colour')}
                  required
                  maxLength={100}
                  {...form.getInputProps(`variants.${index}.color`)}
                />
                <ColorInput
                  label={t('Colour code')}
                  placeholder="#RRGGBB"
                  withEyeDropper={false}
                  fixOnBlur={false}
                  {...form.getInputProps(`variants.${index}.hex_code`)}
                />
                <TextInput
                  label={t('Filament')}
                  placeholder={t('Such as PLA')}
                  maxLength={50}
                  {...form.getInputProps(`variants.${index}.filament_type`)}
                />
                <TextInput
                  label="SKU"
                  placeholder={t('Made of the names')}
                  maxLength={100}
                  {...form.getInputProps(`variants.${index}.sku`)}
                />
              </SimpleGrid>
              <Take
                label={t('variant {index}', { index: index + 1 })}
                isLast={variants.length === 1}
                onTake={() => form.removeListItem('variants', index)}
              />
            </Fieldset>
          ))}
          <Add label={t('Add a variant')} onAdd={() => form.insertListItem('variants', newVariant())} />
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a new part has no other name, and is taken out by its place.
            <Fieldset key={index} legend={t('Part {index}', { index: index + 1 })}>
              <Stack gap="sm">
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <TextInput
                    label={t('Name')}
                    required
                    maxLength={200}
                    {...form.getInputProps(`parts.${index}.name`)}
                  />
                  <NumberInput
                    label={t('Pieces in one kit')}
                    min={1}
                    max={500}
                    allowDecimal={false}
                    required
                    {...form.getInputProps(`parts.${index}.quantity_per_kit`)}
                  />
                  <TextInput
                    label={t('Colour in all variants')}
                    placeholder={t('Colour of the variant')}
                    maxLength={100}
                    {...form.getInputProps(`parts.${index}.fixed_color`)}
                  />
                  {fileInput({
                    value: part.print_file_id,
                    onChange: (id) => form.setFieldValue(`parts.${index}.print_file_id`, id),
                    error: form.errors[`parts.${index}.print_file_id`],
                  })}
                </SimpleGrid>
                <Checkbox
                  label={t('Its pieces are assembled, with its components, before they go into a kit')}
                  {...form.getInputProps(`parts.${index}.requires_assembly`, { type: 'checkbox' })}
                />
                <MaterialLines
                  label={t('Component of part {index}', { index: index + 1 })}
                  lines={part.components}
                  onChange={(lines) => form.setFieldValue(`parts.${index}.components`, lines)}
                  empty={{ inventory_item_id: null, quantity_required: 1 }}
                  addLabel={t('Add a component to part {index}', { index: index + 1 })}
                />
              </Stack>
              <Take
                label={t('part {index}', { index: index + 1 })}
                isLast={parts.length === 1}
                onTake={() => form.removeListItem('parts', index)}
              />
            </Fieldset>
          ))}
          <Add label={t('Add a part')} onAdd={() => form.insertListItem('parts', newPart())} />
          <Fieldset legend={t('Goes with every kit')}>
            <MaterialLines
              label={t('Extra')}
              lines={bundle_extras}
              onChange={(lines) => form.setFieldValue('bundle_extras', lines)}
              empty={{ inventory_item_id: null, quantity_required: 1 }}
              addLabel={t('Add packaging or an extra')}
            />
          </Fieldset>
          <FormButtons label={product ? t('Save the kit') : t('Add kit')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

function Add({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Group>
      <Button variant="subtle" size="xs" leftSection={<Icon name="plus" size={16} />} onClick={onAdd}>
        {label}
      </Button>
    </Group>
  )
}

/** A kit has at least one of each. */
function Take({ label, isLast, onTake }: { label: string; isLast: boolean; onTake: () => void }) {
  if (isLast) return null
  return (
    <Group justify="flex-end" mt="xs">
      <Button variant="subtle" size="xs" leftSection={<Icon name="close" size={16} />} onClick={onTake}>
        {t('Take out {label}', { label })}
      </Button>
    </Group>
  )
}
