import {
  Button,
  Group,
  List,
  Modal,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { CopyLine } from '../../../ui/codes/copy-line.tsx'
import { Secret } from '../../../ui/codes/secret.tsx'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { platformWords } from './shop-words.ts'
import { useAuthoriseShop, useChangeShop, useConnectShop } from './shops.api.ts'

type Platform = Shop['platform']
type Key =
  | 'consumer_key'
  | 'consumer_secret'
  | 'client_id'
  | 'client_secret'
  | 'access_token'
  | 'keystring'
  | 'shared_secret'
  | 'signing_secret'

interface KeyWords {
  label: string
  description: string
  isOptional?: true
}

/** What each kind of shop is connected by, and where its people find it. */
const platforms: Record<
  Platform,
  { steps: string[]; keys: Partial<Record<Key, KeyWords>>; address: string; topics: string }
> = {
  woocommerce: {
    steps: [
      t('In the admin of the shop open WooCommerce, Settings, Advanced, REST API, and add a key.'),
      t('Choose a user who manages the shop, and the permissions Read/Write.'),
      t('Copy the consumer key and the consumer secret into this form.'),
    ],
    keys: {
      consumer_key: { label: t('Consumer key'), description: t('Begins with ck_') },
      consumer_secret: { label: t('Consumer secret'), description: t('Begins with cs_') },
    },
    address: 'https://…',
    topics: t('Order created, Order updated and Order deleted'),
  },
  shopify: {
    steps: [
      t(
        'In the Dev Dashboard of Shopify create an app for your shop, and a version of it with the scopes that docs/shops.md lists.',
      ),
      t('Install the app in your shop.'),
      t(
        'Copy the client ID and the client secret into this form. An app that was made in the admin of the shop has an access token instead.',
      ),
    ],
    keys: {
      client_id: { label: t('Client ID'), description: t('From the app'), isOptional: true },
      client_secret: {
        label: t('Client secret'),
        description: t('From the app; it also signs its webhooks'),
        isOptional: true,
      },
      access_token: {
        label: t('Access token'),
        description: t('Begins with shpat_; in the place of the client ID'),
        isOptional: true,
      },
    },
    address: 'https://….myshopify.com',
    topics: t('Order creation, Order update and Order cancellation'),
  },
  etsy: {
    steps: [
      t('At etsy.com/developers register an app for your shop.'),
      t('Enter this address there as its callback URL: {url}', { url: `${window.location.origin}/settings/shops` }),
      t('Copy the keystring and the shared secret into this form. After that Etsy asks you to let Printyard in.'),
    ],
    keys: {
      keystring: { label: t('Keystring'), description: t('From the app') },
      shared_secret: { label: t('Shared secret'), description: t('From the app') },
      signing_secret: {
        label: t('Signing secret of the webhooks'),
        description: t(
          'Begins with whsec_; Etsy shows it to apps with commercial access. Without it no webhook is taken',
        ),
        isOptional: true,
      },
    },
    address: 'https://openapi.etsy.com',
    topics: t('order.paid, order.canceled and order.shipped'),
  },
}
const kinds = Object.keys(platforms) as Platform[]
const keysOf = (platform: Platform) => Object.entries(platforms[platform].keys) as [Key, KeyWords][]

type Values = {
  platform: Platform
  name: string
  shop: string
  url: string
  pushes_fulfilment: boolean
  pushes_stock: boolean
  stock_buffer: number | string
  personalisation_names: string[]
} & Record<Key, string>

const useShopForm = (initialValues: Values) => useForm<Values>({ mode: 'controlled', initialValues })
type ShopForm = ReturnType<typeof useShopForm>

const none: Values = {
  ...{ platform: 'woocommerce', name: '', shop: '', url: '' },
  ...{
    consumer_key: '',
    consumer_secret: '',
    client_id: '',
    client_secret: '',
    access_token: '',
    keystring: '',
    shared_secret: '',
    signing_secret: '',
  },
  ...{ pushes_fulfilment: true, pushes_stock: false, stock_buffer: 0, personalisation_names: [] },
}

function Keys({ form, isNew }: { form: ShopForm; isNew: boolean }) {
  return keysOf(form.values.platform).map(([key, { label, description, isOptional }]) => (
    <PasswordInput
      key={key}
      label={label}
      description={description}
      required={isNew && !isOptional}
      maxLength={500}
      autoComplete="off"
      {...(!isNew && { placeholder: t('Stays as it is') })}
      {...form.getInputProps(key)}
    />
  ))
}

/** The keys that were entered, of those that such a shop has. */
const enteredOf = (values: Values): Partial<Record<Key, string>> =>
  Object.fromEntries(
    keysOf(values.platform).flatMap(([key]) => (values[key].trim() === '' ? [] : [[key, values[key].trim()]])),
  )

function Choices({ form }: { form: ShopForm }) {
  return (
    <>
      <Switch
        label={t('Report shipped parcels to the shop')}
        description={t('With their tracking; the last one completes the order there')}
        {...form.getInputProps('pushes_fulfilment', { type: 'checkbox' })}
      />
      <Switch
        label={t('Report available quantities to the shop')}
        description={t('Overwrites the stock of the products there that count it')}
        {...form.getInputProps('pushes_stock', { type: 'checkbox' })}
      />
      {form.values.pushes_stock && (
        <NumberInput
          label={t('Units kept back')}
          description={t('Units of each SKU that the shop is not told of')}
          min={0}
          max={100_000}
          allowDecimal={false}
          {...form.getInputProps('stock_buffer')}
        />
      )}
      <TagsInput
        label={t('Personalisation')}
        description={t('Names of fields that customers fill in. Empty: all that the shop shows of a line')}
        {...form.getInputProps('personalisation_names')}
      />
    </>
  )
}

const choicesOf = ({ pushes_fulfilment, pushes_stock, stock_buffer, personalisation_names }: Values) => ({
  ...{ pushes_fulfilment, pushes_stock, personalisation_names },
  stock_buffer: Number(stock_buffer) || 0,
})

export function ConnectShopDialog({ onClose }: { onClose: () => void }) {
  const form = useShopForm(none)
  const connect = useConnectShop()
  const { submit, problem } = useFormSubmit({ form, mutation: connect, body: newBody })
  const { platform } = form.values
  return (
    <Modal opened onClose={onClose} title={t('Connect a shop')} size="lg">
      {connect.data ? (
        <Connected shop={connect.data} secret={connect.data.webhook_secret} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <FormProblem problem={problem} />
            <Select
              label={t('Kind of shop')}
              data={kinds.map((value) => ({ value, label: platformWords[value] ?? value }))}
              allowDeselect={false}
              {...form.getInputProps('platform')}
            />
            <List size="sm" type="ordered">
              {platforms[platform].steps.map((step) => (
                <List.Item key={step}>{step}</List.Item>
              ))}
            </List>
            <TextInput label={t('Name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
            {platform !== 'etsy' && (
              <TextInput
                label={t('Address of the shop')}
                description={platforms[platform].address}
                required
                maxLength={500}
                {...form.getInputProps('url')}
              />
            )}
            <Keys form={form} isNew />
            <TextInput
              label={t('Name on its orders')}
              description={t('Only where you have several shops of this kind. It cannot be changed')}
              maxLength={100}
              {...form.getInputProps('shop')}
            />
            <Choices form={form} />
            <FormButtons label={t('Connect the shop')} isBusy={connect.isPending} onCancel={onClose} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

function Connected({ shop, secret, onClose }: { shop: Shop; secret: string; onClose: () => void }) {
  if (shop.needs_authorisation) return <ToAuthorise shop={shop} />
  return (
    <Stack>
      <Text size="sm">
        {shop.platform === 'woocommerce'
          ? t(
              'Orders are read from now on, once a minute. Where your shop can reach this service, a webhook makes that seconds: add one for {topics}, with this delivery URL and secret.',
              { topics: platforms[shop.platform].topics },
            )
          : t(
              'Orders are read from now on, once a minute. Where your shop can reach this service, a webhook makes that seconds: add one for {topics}, with this delivery URL.',
              { topics: platforms[shop.platform].topics },
            )}
      </Text>
      <CopyLine value={`${window.location.origin}${shop.webhook_path}`} />
      {shop.platform === 'woocommerce' && <Secret label={t('Secret of the webhooks')} value={secret} />}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  )
}

function ToAuthorise({ shop }: { shop: Shop }) {
  const authorise = useAuthoriseShop()
  return (
    <Stack>
      <Text size="sm">{t('Orders are read once you have let Printyard in at Etsy.')}</Text>
      <FormProblem problem={authorise.error ?? undefined} />
      <Group justify="flex-end">
        <Button loading={authorise.isPending} onClick={() => authorise.mutate(shop.id)}>
          {t('Go to Etsy')}
        </Button>
      </Group>
    </Stack>
  )
}

function newBody(values: Values): BodyOf<'POST /shops'> {
  const { platform, name, shop, url } = values
  return {
    ...{ platform, name, url: platform === 'etsy' ? platforms.etsy.address : url.trim() },
    ...enteredOf(values),
    ...(shop.trim() !== '' && { shop: shop.trim() }),
    ...choicesOf(values),
  }
}

export function ChangeShopDialog({ shop, onClose }: { shop: Shop; onClose: () => void }) {
  const { platform, name, url, pushes_fulfilment, pushes_stock, stock_buffer, personalisation_names } = shop
  const form = useShopForm({
    ...{ ...none, platform, name, url },
    ...{ pushes_fulfilment, pushes_stock, stock_buffer, personalisation_names },
  })
  const change = useChangeShop(shop.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => ({ name: values.name, ...enteredOf(values), ...choicesOf(values) }),
    done: () => t('The shop is changed'),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Change {name}', { name: shop.name })} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Keys form={form} isNew={false} />
          {platform === 'etsy' && (
            <>
              <Text size="sm">
                {t('The delivery URL of webhooks for {topics}:', { topics: platforms.etsy.topics })}
              </Text>
              <CopyLine value={`${window.location.origin}${shop.webhook_path}`} />
            </>
          )}
          <Choices form={form} />
          <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
