import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { getTokenUse, type TokenUse } from '../../platform/http/public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import type { Scope } from './scopes.js';

/** A route and its access declaration. */
export interface DeclaredRoute {
  method: string;
  path: string;
  /** Class and method: `EditsController.list`. */
  handler: string;
  scope: Scope | undefined;
  public: TokenUse | undefined;
}

/** The methods of the routes, by path. */
interface MethodIndex {
  /** Paths without parameters. */
  literals: Map<string, string[]>;
  /** Paths with parameters. No two of them match the same path. */
  patterns: { pattern: RegExp; methods: string[] }[];
}

/**
 * Lists all routes. A route that declares neither a scope nor `@Public`, or both, stops the start.
 */
@Injectable()
export class RouteRegistryService implements OnModuleInit {
  private methodIndex: MethodIndex | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error with the names of the routes without exactly one declaration */
  onModuleInit(): void {
    const undeclared = this.list().filter((route) => (route.scope === undefined) === (route.public === undefined));
    if (undeclared.length === 0) return;
    const names = undeclared.map(({ method, path, handler }) => `${method} ${path} (${handler})`).join(', ');
    throw new Error(`These routes must say what they need, by either @RequireScope or @Public: ${names}`);
  }

  /** Returns the routes of all controllers. */
  list(): DeclaredRoute[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const controller = instance as Record<string, unknown> | undefined;
      if (!controller || !metatype) return [];
      return this.scanner
        .getAllMethodNames(Object.getPrototypeOf(controller) as object)
        .filter((name) => Reflect.hasMetadata(METHOD_METADATA, controller[name] as object))
        .map((name) => this.describeRoute(metatype as Type, name, controller[name] as () => unknown));
    });
  }

  /**
   * Returns the methods of a path, those of a route with exactly this path before those of a
   * pattern; undefined if no route has the path.
   * @param path without the path of `BASE_URL`
   */
  findMethods(path: string): string[] | undefined {
    const { literals, patterns } = (this.methodIndex ??= buildMethodIndex(this.list()));
    const normalized = path.replace(/\/$/, '') || '/';
    return literals.get(normalized) ?? patterns.find(({ pattern }) => pattern.test(normalized))?.methods;
  }

  private describeRoute(controller: Type, name: string, handler: () => unknown): DeclaredRoute {
    const method = this.reflector.get<RequestMethod, string>(METHOD_METADATA, handler);
    const paths = [controller, handler].map((target) =>
      String(this.reflector.get<unknown, string>(PATH_METADATA, target)),
    );
    return {
      method: RequestMethod[method],
      path: `/${paths
        .flatMap((path) => path.split('/'))
        .filter(Boolean)
        .join('/')}`,
      handler: `${controller.name}.${name}`,
      scope: this.reflector.get(RequireScope, handler),
      public: getTokenUse(this.reflector, handler, controller),
    };
  }
}

function buildMethodIndex(routes: DeclaredRoute[]): MethodIndex {
  const literals = new Map<string, string[]>();
  const patterns = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const index = path.includes(':') ? patterns : literals;
    index.set(path, [...(index.get(path) ?? []), method]);
  }
  return { literals, patterns: [...patterns].map(([path, methods]) => ({ pattern: toPathPattern(path), methods })) };
}

/** Returns the pattern of a path with parameters, each of which is one segment. */
function toPathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
}
