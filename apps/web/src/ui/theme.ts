import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Input,
  type MantineColorsTuple,
  Modal,
  NavLink,
  Table,
} from '@mantine/core'
import { t } from '../lib/i18n/t.ts'
import { numberWriter } from '../lib/i18n/writers.ts'

/** The green of the yard: calm beside the states of printers, with 4.5:1 against white from shade 7 on. */
const yard: MantineColorsTuple = [
  '#eef7f5',
  '#dcebe8',
  '#b5d8d2',
  '#8ac4bb',
  '#67b3a8',
  '#47a093',
  '#2f8a7d',
  '#217266',
  '#1f5f5b',
  '#164644',
]

/** Greys with a little of the same green, so that grounds and lines belong together. */
const stone: MantineColorsTuple = [
  '#f6f7f6',
  '#eceeec',
  '#dde1de',
  '#c8cecb',
  '#a9b2ae',
  '#8a9590',
  '#6b7772',
  '#525d59',
  '#38413e',
  '#1f2624',
]

const dark: MantineColorsTuple = [
  '#e3e8e6',
  '#c3cbc8',
  '#a4afab',
  '#6d7975',
  '#424c48',
  '#353e3b',
  '#28302d',
  '#1d2422',
  '#161b1a',
  '#101413',
]

/** Fingers need 44 px; a mouse does with less. */
const touch = { root: 'touch-target' }

/** Its close button has a name, and its head is no second banner beside that of the page. */
const dialog = {
  closeButtonProps: { 'aria-label': t('Close') },
  attributes: { header: { role: 'presentation' } },
}

export const theme = createTheme({
  primaryColor: 'yard',
  // White text stands on it with 4.5:1 in both schemes.
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { yard, gray: stone, dark },
  white: '#ffffff',
  black: '#17201d',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.15rem', lineHeight: '1.3' },
      h3: { fontSize: '1rem', lineHeight: '1.35' },
    },
  },
  components: {
    // Numbers are typed as they are written; the point is understood, too.
    NumberInput: {
      defaultProps: () => {
        const decimalSeparator = numberWriter({}).format(0.5).charAt(1)
        return { decimalSeparator, allowedDecimalSeparators: [decimalSeparator, '.'] }
      },
    },
    Button: Button.extend({ classNames: touch }),
    ActionIcon: ActionIcon.extend({ classNames: touch, defaultProps: { variant: 'subtle', color: 'gray' } }),
    NavLink: NavLink.extend({ classNames: touch }),
    Input: Input.extend({ classNames: { input: 'touch-target' } }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', highlightOnHover: true } }),
    // Plain, so that the pages of who is signed in do not load it.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': t('Show the password') },
      },
    },
    Modal: Modal.extend({ defaultProps: { centered: true, ...dialog } }),
    Drawer: Drawer.extend({ defaultProps: dialog }),
  },
})

/** Grounds, lines, and the tones of states: text of each tone has at least 4.5:1 on its own ground and on the page's. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f4f5f3',
    '--mantine-color-dimmed': '#525d59',
    '--mantine-color-error': '#a3211b',
    '--yard-panel': '#ffffff',
    '--yard-line': '#d9deda',
    '--tone-working': '#14625c',
    '--tone-working-ground': '#dff0ed',
    '--tone-waiting': '#7a4600',
    '--tone-waiting-ground': '#fbefd9',
    '--tone-done': '#256029',
    '--tone-done-ground': '#e3f2e2',
    '--tone-trouble': '#a3211b',
    '--tone-trouble-ground': '#fce8e5',
    '--tone-resting': '#3d4a46',
    '--tone-resting-ground': '#e9edea',
    '--tone-away': '#56605c',
    '--tone-away-ground': '#eceeec',
    '--tone-unknown': '#56605c',
    '--tone-unknown-ground': '#eceeec',
  },
  dark: {
    '--mantine-color-body': '#141918',
    '--mantine-color-dimmed': '#a4afab',
    '--mantine-color-error': '#ffada3',
    '--yard-panel': '#1d2422',
    '--yard-line': '#39423f',
    '--tone-working': '#8cd3ca',
    '--tone-working-ground': '#18403c',
    '--tone-waiting': '#f0c27a',
    '--tone-waiting-ground': '#43320f',
    '--tone-done': '#9bd597',
    '--tone-done-ground': '#1d3d20',
    '--tone-trouble': '#ffada3',
    '--tone-trouble-ground': '#4d201c',
    '--tone-resting': '#c3cbc8',
    '--tone-resting-ground': '#2b3431',
    '--tone-away': '#a9b4b0',
    '--tone-away-ground': '#262d2b',
    '--tone-unknown': '#a9b4b0',
    '--tone-unknown-ground': '#262d2b',
  },
})
