import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** One command or group, with what may follow it. */
interface Place {
  /** Words from the program to it, each after a space: ` jobs list`. */
  path: string
  words: Word[]
}

interface Word {
  text: string
  description: string
  /** What may follow it: undefined where it takes no value, empty where any text does. */
  values?: readonly string[]
}

/** The completion script of a shell, from the tree of commands. */
export function writeCompletion(program: Command, shell: Shell): string {
  const places = placesOf(program, '')
  if (shell === 'bash') return writeBash(places)
  return shell === 'zsh' ? writeZsh(places) : writeFish(places)
}

function placesOf(command: Command, path: string): Place[] {
  const subcommands = command.commands.map((each) => ({ text: each.name(), description: each.description() }))
  const options = command.options.flatMap(({ long, description, required, argChoices }) => {
    if (!long) return []
    return [{ text: long, description, ...(required && { values: argChoices ?? [] }) }]
  })
  const fixed = command.registeredArguments.flatMap(({ argChoices = [] }) =>
    argChoices.map((text) => ({ text, description: '' })),
  )
  const words = [...subcommands, ...fixed, ...options, { text: '--help', description: 'show help' }]
  return [{ path, words }, ...command.commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))]
}

/** Patterns of `case`, for the words that lead from one place to the next. */
function walkOf(places: readonly Place[]): string {
  return places.flatMap(({ path }) => (path === '' ? [] : [quote(path)])).join('|')
}

/** The values that may follow an option, by place. */
function choicesOf(places: readonly Place[]): string[] {
  return places.flatMap(({ path, words }) =>
    words.flatMap(({ text, values }) =>
      values?.length ? [`    ${quote(`${path} ${text}`)}) words=${quote(values.join(' '))} ;;`] : [],
    ),
  )
}

function takingText(places: readonly Place[]): string {
  const names = places.flatMap(({ words }) => words.flatMap(({ text, values }) => (values?.length === 0 ? [text] : [])))
  return [...new Set(names)].join('|')
}

function writeBash(places: readonly Place[]): string {
  const words = places.map(
    ({ path, words }) => `    ${quote(path)}) words=${quote(words.map(({ text }) => text).join(' '))} ;;`,
  )
  return `# bash completion of printyard
_printyard() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
    ${walkOf(places)}) path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$before" in
    ${takingText(places)}) return ;;
  esac
  case "$path" in
${words.join('\n')}
  esac
  case "$path $before" in
${choicesOf(places).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _printyard printyard
`
}

function writeZsh(places: readonly Place[]): string {
  const described = places.map(({ path, words }) => {
    const entries = words.map(({ text, description }) => quote(`${text}:${description.replaceAll(':', ' -')}`))
    return `    ${quote(path)}) described=(${entries.join(' ')}) ;;`
  })
  return `#compdef printyard
_printyard() {
  local where='' values='' word
  local -a described
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$where $word" in
    ${walkOf(places)}) where="$where $word" ;;
    esac
  done
  case "$words[CURRENT-1]" in
    ${takingText(places)}) _files; return ;;
  esac
  case "$where $words[CURRENT-1]" in
${choicesOf(places)
  .map((line) => line.replace(') words=', ') values='))
  .join('\n')}
  esac
  if [[ -n "$values" ]]; then
    compadd -- \${=values}
    return
  fi
  case "$where" in
${described.join('\n')}
  esac
  _describe 'printyard' described
  [[ "$words[CURRENT]" == -* ]] || _files
}
if [[ "$funcstack[1]" == _printyard ]]; then _printyard "$@"; else compdef _printyard printyard; fi
`
}

function writeFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ text, description, values }) => {
      const isOption = text.startsWith('--')
      const name = isOption ? `-l ${text.slice(2)}` : `-f -a ${fishQuote(text)}`
      const value = values === undefined ? '' : values.length > 0 ? ` -x -a ${fishQuote(values.join(' '))}` : ' -r'
      return `complete -c printyard -n ${fishQuote(`__printyard_at ${fishQuote(path)}`)} ${name}${value} -d ${fishQuote(description)}`
    }),
  )
  const known = places.flatMap(({ path }) => (path === '' ? [] : [fishQuote(path)])).join(' ')
  return `# fish completion of printyard
function __printyard_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    contains -- "$path $word" ${known}; and set path "$path $word"
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
