import Type, { type Static } from 'typebox'
import { answer, idOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import { type FileRow, fileSorts, type VersionRow } from './files.queries.ts'
import { longestFolder } from './folder-path.ts'

export const UploadUrlBody = request({
  filename: text(
    1,
    255,
    'Name of the file, ending in .gcode, .gco, .g, .3mf, .gcode.3mf, .bgcode, .ufp, .stl, .obj or .amf',
  ),
  size_bytes: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Size of the file; an upload of any other size is then refused' }),
  ),
  content_type: Type.Optional(
    text(1, 255, 'Media type that the bytes will be sent with; answered as it is given, for nothing depends on it'),
  ),
})

export const UploadUrl = resource('UploadUrl', 'Upload address of a file', {
  file_id: Type.String({ description: 'ID that the file will have once POST /files has added it' }),
  filename: Type.String({ description: 'Name of the file, as it was given' }),
  content_type: Type.String({ description: 'Media type as it was given; application/octet-stream by default' }),
  upload_url: Type.String({ description: 'Address to PUT the bytes to, without an API key. Keep it secret' }),
  token: Type.String({
    description: 'The `upload_token` of POST /files once the bytes are there',
    examples: ['q7vT2mXo0gYcR4sJb1NnE8hUzL5wKdAf3PiS6rV9kQe'],
  }),
  upload_token: Type.String({ description: 'The same as token' }),
  storage_key: Type.String({
    description: 'The token and the name of the file: POST /files takes it in the place of upload_token',
    examples: ['q7vT2mXo0gYcR4sJb1NnE8hUzL5wKdAf3PiS6rV9kQe/cable-clip.gcode.3mf'],
  }),
  expires_in: Type.Integer({ description: 'Seconds until the address stops working', examples: [3600] }),
  expires_at: timestamp('Time at which the address stops working'),
  max_bytes: Type.Integer({ description: 'The largest file that is accepted' }),
})

export const UploadParams = Type.Object(
  { token: Type.String({ maxLength: 255, description: 'Token of the upload address' }) },
  { additionalProperties: false },
)

export const Uploaded = resource('Uploaded', 'Received bytes of an upload', {
  size_bytes: Type.Integer({ description: 'The bytes that were received and kept' }),
})

const exampleToken = 'q7vT2mXo0gYcR4sJb1NnE8hUzL5wKdAf3PiS6rV9kQe'

const uploaded = {
  upload_token: Type.Optional(
    text(1, 128, 'Token of an upload address whose bytes have been sent; needed unless storage_key is given'),
  ),
  storage_key: Type.Optional(text(1, 512, 'The storage_key of that upload, in the place of upload_token')),
}
const plate = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Plate of a .gcode.3mf to print; the first one by default',
  }),
)
const name = text(1, 255, 'Name of the file as people see it')
const numberOfUnits = Type.Integer({ minimum: 1, maximum: 100_000, description: 'Pieces that one print yields' })
const notes = text(0, 2000, 'Remarks on this version')

const tags = Type.Array(text(1, 50, 'One tag'), {
  maxItems: 20,
  uniqueItems: true,
  description: 'All words to find it by; they replace the present ones',
})

const folder = {
  ...text(0, longestFolder, 'Folder of the library, such as Brackets/2026; empty for none'),
  examples: ['Brackets/2026'],
}

export const NewFileBody = request(
  {
    ...uploaded,
    name: Type.Optional(Type.String({ ...name, description: 'Name as people see it; the uploaded name by default' })),
    product_id: Type.Optional(idOf('product', 'The product that this file makes')),
    number_of_units: Type.Optional(numberOfUnits),
    notes: Type.Optional(notes),
    folder: Type.Optional(folder),
    plate,
  },
  { examples: [{ upload_token: exampleToken, name: 'Cable clip', number_of_units: 6 }] },
)

export const NewVersionBody = request(
  {
    ...uploaded,
    notes: Type.Optional(notes),
    set_as_current: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether new jobs print this version from now on' }),
    ),
    plate,
  },
  { examples: [{ upload_token: exampleToken, notes: 'Thicker walls' }] },
)

export const FileChanges = request(
  {
    name: Type.Optional(name),
    product_id: Type.Optional(nullable(idOf('product', 'The product that this file makes; null for none'))),
    number_of_units: Type.Optional(numberOfUnits),
    tags: Type.Optional(tags),
    folder: Type.Optional(folder),
  },
  { minProperties: 1 },
)

export const FilesQuery = request({
  ...pageQuery,
  product_id: Type.Optional(idOf('product', 'Only files of this product')),
  printer_model_id: Type.Optional(text(1, 200, 'Only files sliced for this printer model, spelled as in the file')),
  model_id: Type.Optional(text(1, 200, 'Another name of printer_model_id')),
  filament_type: Type.Optional(text(1, 200, 'Only files sliced for exactly this filament type')),
  search: Type.Optional(text(1, 120, 'Only files with this text in their name, in whatever case')),
  tag: Type.Optional(text(1, 50, 'Only files with this tag')),
  folder: Type.Optional(text(1, longestFolder, 'Only files in this folder and those below it')),
  order_by: Type.Optional(
    oneOf(fileSorts, {
      default: 'newest',
      description: '`newest`: the last added first; `changed`: the last changed first; `name`: by name',
    }),
  ),
})

export const VersionParams = Type.Object(
  {
    id: idOf('printFile', 'ID of the file'),
    version: Type.String({ pattern: '^[1-9][0-9]{0,5}$', description: 'Number of the version' }),
  },
  { additionalProperties: false },
)

const number = (description: string) => nullable(Type.Number({ description }))
const integer = (description: string) => nullable(Type.Integer({ description }))
const words = (description: string) => nullable(Type.String({ description }))

const fileProperties = {
  id: Type.String({ description: 'ID of the file' }),
  name: Type.String({ description: 'Name as people see it' }),
  product_id: words('The product that this file makes'),
  file_size_bytes: Type.Integer({ description: 'Size of the current version' }),
  number_of_units: Type.Integer({ description: 'Pieces that one print yields' }),
  tags: Type.Array(Type.String({ description: 'One tag', examples: ['brackets'] }), {
    description: 'Words to find it by',
  }),
  folder: Type.String({ description: 'Folder of the library; empty for none', examples: ['Brackets/2026'] }),
  print_time_seconds: number('Print time by the slicer'),
  filament_weight_grams: number('Filament that one print needs, by weight'),
  filament_length_meters: number('Filament that one print needs, by length'),
  filament_type: words('Filament that it is sliced for; several are separated by semicolons'),
  printer_model_id: words('Printer model that it is sliced for, as the slicer wrote it'),
  nozzle_diameter: number('Nozzle that it is sliced for, in mm'),
  layer_count: integer('Number of layers'),
  curr_bed_type: words('Build plate that it is sliced for'),
  default_print_profile: words("Name of the slicer's print profile"),
  object_count: integer('Objects on the plate'),
  has_thumbnail: Type.Boolean({ description: 'Whether GET /files/{id}/thumbnail has a picture' }),
  is_sliced: Type.Boolean({ description: 'Whether it can be printed; false for a model that is still to be sliced' }),
  warnings: Type.Array(
    Type.String({
      description: 'A sentence',
      examples: ['The file ends in the middle of the print: the file may be cut short.'],
    }),
    { description: 'Warnings about the file' },
  ),
  created_at: timestamp('Time at which the file was added'),
  updated_at: timestamp('Time of the last change'),
}

export const PrintFile = resource('PrintFile', 'A print file with the facts of its current version', fileProperties)

const versionProperties = {
  id: Type.String({ description: 'ID of the version' }),
  version_number: Type.Integer({ description: 'Counts up from 1' }),
  notes: Type.String({ description: 'Remarks on this version' }),
  is_current_version: Type.Boolean({ description: 'Whether new jobs print this version' }),
  created_at: timestamp('Time at which it was added'),
}

const versions = Type.Array(answer(versionProperties), { description: 'All versions, the newest first' })

export const PrintFileDetail = resource('PrintFileDetail', 'A print file with all its versions', {
  ...fileProperties,
  same_as: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the file' }),
        name: Type.String({ description: 'Its name' }),
      },
      { description: 'Another file with the very same content; null for none' },
    ),
  ),
  versions,
})

export const AddedVersion = resource('AddedVersion', 'The version that was added, and its file', {
  ...versionProperties,
  versions,
  file: PrintFileDetail,
})

export const FileTags = resource('FileTags', 'The tags of all print files', {
  tags: Type.Array(
    answer({
      tag: Type.String({ description: 'The tag', examples: ['brackets'] }),
      files: Type.Integer({ description: 'Files that have it' }),
    }),
    { description: 'Tags by name, at most 1,000' },
  ),
})

export const FileFolders = resource('FileFolders', 'The folders of the library', {
  folders: Type.Array(
    answer({
      folder: Type.String({ description: 'The folder, with those above it', examples: ['Brackets/2026'] }),
      files: Type.Integer({ description: 'Files directly in it' }),
    }),
    { description: 'Folders with files directly in them, by name, at most 1,000' },
  ),
})

export const FileUses = resource('FileUses', 'Recipes and jobs that use a print file', {
  recipes: Type.Array(
    answer({
      id: Type.String({ description: 'ID of the recipe' }),
      name: Type.String({ description: 'Name of the recipe' }),
      product_id: Type.String({ description: 'The product that it makes' }),
      product_name: Type.String({ description: 'Name of the product' }),
      product_sku_id: nullable(
        Type.String({ description: 'The SKU that it makes; null for every SKU of the product' }),
      ),
      sku: nullable(Type.String({ description: 'Code of that SKU' })),
      units_per_plate: Type.Integer({ description: 'Units that one plate yields' }),
    }),
    { description: 'Recipes in use that print it, by product, at most 100' },
  ),
  jobs: answer(
    {
      unfinished: Type.Integer({ description: 'Jobs that are not over' }),
      completed: Type.Integer({ description: 'Jobs that were completed' }),
      failed: Type.Integer({ description: 'Jobs that failed' }),
      last_ended_at: nullable(timestamp('Time at which the last of them ended')),
    },
    { description: 'Jobs that print it, or have it as one of their ways' },
  ),
})

export const DeletedFile = resource('DeletedFile', 'The file that is gone', {
  id: Type.String({ description: 'ID of the file' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

/** A body that is bytes and not JSON. */
export function bytes(mediaTypes: string[], description: string) {
  const schema = { type: 'string', format: 'binary' }
  return { description, content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])) }
}

/** What of a file leaves the service: never its hash, where it lies, or what else the slicer wrote into it. */
export function presentFile(file: FileRow) {
  return {
    id: file.id,
    name: file.name,
    product_id: file.product_id,
    file_size_bytes: file.file_size_bytes,
    number_of_units: file.number_of_units,
    tags: file.tags,
    folder: file.folder,
    print_time_seconds: file.print_time_seconds,
    filament_weight_grams: file.filament_weight_grams,
    filament_length_meters: file.filament_length_meters,
    filament_type: file.filament_type,
    printer_model_id: file.printer_model,
    nozzle_diameter: file.nozzle_diameter,
    layer_count: file.layer_count,
    curr_bed_type: file.bed_type,
    default_print_profile: file.print_profile,
    object_count: file.object_count,
    has_thumbnail: file.has_thumbnail,
    is_sliced: file.is_sliced,
    warnings: file.warnings,
    created_at: file.created_at.toISOString(),
    updated_at: file.updated_at.toISOString(),
  }
}

export function presentFileDetail(
  file: FileRow,
  versions: VersionRow[],
  twin: Pick<FileRow, 'id' | 'name'> | undefined,
) {
  return {
    ...presentFile(file),
    same_as: twin ? { id: twin.id, name: twin.name } : null,
    versions: versions.map((version) => ({
      id: version.id,
      version_number: version.version_number,
      notes: version.notes,
      is_current_version: version.is_current_version,
      created_at: version.created_at.toISOString(),
    })),
  }
}

/** The newest version of a file that has just got it. */
export function presentAddedVersion(file: Static<typeof PrintFileDetail>): Static<typeof AddedVersion> {
  const [added] = file.versions
  if (!added) throw new Error(`The file ${file.id} has no version although one was just added.`)
  return { ...added, versions: file.versions, file }
}
