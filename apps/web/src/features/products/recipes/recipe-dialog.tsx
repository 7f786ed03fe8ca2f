import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { Product, Recipe } from '../../../lib/api/api-schema.generated.ts'
import { fileQuery } from '../../../lib/api/shared-queries.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { formatGrams, formatMinutes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { lineProblem } from '../../../ui/forms/line-problem.ts'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { SkuSelect } from '../../skus/sku-select.tsx'
import { suggestUnits } from './suggest-units.ts'

/** Stands for every SKU of the product. */
const everySku = 'every'

interface FormValues {
  name: string
  print_file_id: string | null
  sku: string
  /** Empty: as the file says. */
  units_per_plate: number | ''
  also_makes: { product_sku_id: string | null; units: number }[]
  rank: number
  is_active: boolean
  notes: string
}

interface FileInputProps {
  value: string | null
  onChange: (id: string | null) => void
  error: ReactNode
}

interface RecipeDialogProps {
  product: Product
  /** Undefined: a new one. */
  recipe?: Recipe
  /** Chooses a print file. */
  fileInput: (props: FileInputProps) => ReactNode
  onClose: () => void
}

/** Adds a recipe, with what its file says proposed, or changes one. */
export function RecipeDialog({ product, recipe, fileInput, onClose }: RecipeDialogProps) {
  const queryClient = useQueryClient()
  const initialValues: FormValues = {
    name: recipe?.name ?? '',
    print_file_id: recipe?.print_file_id ?? null,
    sku: recipe
      ? (recipe.product_sku_id ?? everySku)
      : product.skus.length === 1
        ? (product.skus[0]?.id ?? everySku)
        : everySku,
    units_per_plate: recipe?.units_per_plate ?? '',
    also_makes: recipe?.also_makes ?? [],
    rank: recipe?.rank ?? 0,
    is_active: recipe?.is_active ?? true,
    notes: recipe?.notes ?? '',
  }
  const form = useForm({
    initialValues,
    validate: {
      print_file_id: (id) => (id === null ? t('Choose the file that prints it') : null),
      also_makes: {
        product_sku_id: (id) => (id === null ? t('Choose a SKU, or take the line out') : null),
      },
    },
  })
  const { print_file_id: fileId, also_makes: others } = form.values
  const file = useQuery({ ...fileQuery(fileId ?? ''), enabled: fileId !== null }).data
  const proposed =
    file &&
    suggestUnits(
      file,
      others.reduce((sum, { units }) => sum + Number(units), 0),
    )
  const save = useMutation({
    mutationFn: async (values: FormValues) => {
      const sent = bodyOf(values)
      if (!recipe) return api.call('POST /recipes', { body: { ...sent, product_id: product.id } })
      const body = changedFields(bodyOf(initialValues), sent)
      if (Object.keys(body).length === 0) return recipe
      return api.call('PATCH /recipes/{id}', { params: { id: recipe.id }, body })
    },
    onSettled: () => {
      for (const key of ['recipes', 'skus']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: ({ name }) =>
      recipe ? t('{name} is saved', { name }) : t('{name} is made by {file}', { name: product.name, file: name }),
    onDone: onClose,
    // The field of the form has a name of its own.
    fieldErrors: ({ code, message }) =>
      code === 'ALREADY_EXISTS' || code === 'FILE_NOT_SLICED' ? { print_file_id: message } : undefined,
  })
  const { error, onChange, value } = form.getInputProps('print_file_id')
  return (
    <Modal
      opened
      onClose={onClose}
      title={recipe ? t('Edit {name}', { name: recipe.name }) : t('Recipe of {name}', { name: product.name })}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormProblem problem={lineProblem(problem, form.errors, ['also_makes'])} />
          {fileInput({ value, onChange, error })}
          <Select
            label={t('Makes')}
            data={[
              { value: everySku, label: t('Every SKU that the file can print') },
              ...product.skus.map(({ id, sku }) => ({ value: id, label: sku })),
            ]}
            allowDeselect={false}
            searchable
            {...form.getInputProps('sku')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label={t('Units per plate')}
              description={file ? wordsOf(file) : t('The file proposes how many')}
              placeholder={proposed === undefined ? '' : String(proposed)}
              min={1}
              max={100_000}
              allowDecimal={false}
              {...form.getInputProps('units_per_plate')}
            />
            <NumberInput
              label={t('Rank')}
              description={t('The smallest is preferred')}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              required
              {...form.getInputProps('rank')}
            />
            <TextInput
              label={t('Name')}
              placeholder={file?.name ?? t('Set by the file')}
              maxLength={200}
              {...form.getInputProps('name')}
            />
          </SimpleGrid>
          {others.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and are taken out by their place.
            <Group key={index} align="end" gap="xs" wrap="nowrap">
              <SkuSelect
                label={t('Also makes, line {index}', { index: index + 1 })}
                flex={1}
                {...form.getInputProps(`also_makes.${index}.product_sku_id`)}
              />
              <NumberInput
                label={t('Units')}
                w="6rem"
                min={1}
                max={100_000}
                allowDecimal={false}
                {...form.getInputProps(`also_makes.${index}.units`)}
              />
              <ActionIcon
                size="lg"
                aria-label={t('Take out line {index}', { index: index + 1 })}
                onClick={() => form.removeListItem('also_makes', index)}
              >
                <Icon name="close" size={18} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => form.insertListItem('also_makes', { product_sku_id: null, units: 1 })}
            >
              {t('Add another SKU that it makes')}
            </Button>
          </Group>
          <Textarea label={t('Notes')} autosize minRows={1} maxLength={2000} {...form.getInputProps('notes')} />
          <Checkbox
            label={t('New jobs may be made by it')}
            {...form.getInputProps('is_active', { type: 'checkbox' })}
          />
          <FormButtons label={recipe ? t('Save') : t('Add recipe')} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

function bodyOf({ name, print_file_id, sku, units_per_plate, also_makes, ...rest }: FormValues) {
  return {
    ...rest,
    // The form does not go out without a file.
    print_file_id: print_file_id ?? '',
    product_sku_id: sku === everySku ? null : sku,
    also_makes: also_makes.flatMap(({ product_sku_id, units }) =>
      product_sku_id === null ? [] : [{ product_sku_id, units }],
    ),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(units_per_plate !== '' && { units_per_plate }),
  }
}

/** `The file says 4 units, 2h 5 min, 80 g` */
function wordsOf(file: {
  number_of_units: number
  object_count: number | null
  print_time_seconds: number | null
  filament_weight_grams: number | null
}): string {
  return [
    t('The file says {suggestUnits, plural, one {# unit} other {# units}}', { suggestUnits: suggestUnits(file, 0) }),
    file.print_time_seconds === null ? '' : formatMinutes(file.print_time_seconds / 60),
    file.filament_weight_grams === null ? '' : formatGrams(file.filament_weight_grams),
  ]
    .filter(Boolean)
    .join(', ')
}
