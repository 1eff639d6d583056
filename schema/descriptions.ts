import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

/** Names of the types, fields, arguments and enum values of an API schema that have no description. */
export function findUndescribed(sdl: string): string[] {
  const types = Object.values(buildSchema(sdl).getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  return types.flatMap((type) => [...undescribed(type.name, type), ...membersOf(type)]);
}

function membersOf(type: unknown): string[] {
  if (isEnumType(type)) {
    return type.getValues().flatMap((value) => undescribed(`${type.name}.${value.name}`, value));
  }
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).flatMap((field) =>
      undescribed(`${type.name}.${field.name}`, field),
    );
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    return Object.values(type.getFields()).flatMap((field) => {
      const name = `${type.name}.${field.name}`;
      return [
        ...undescribed(name, field),
        ...field.args.flatMap((arg) => undescribed(`${name}(${arg.name})`, arg)),
      ];
    });
  }
  return [];
}

function undescribed(name: string, { description }: { description?: string | null | undefined }): string[] {
  return description ? [] : [name];
}
