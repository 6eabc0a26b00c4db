import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Public, type TokenUse } from '../../platform/http/public.decorator.js';
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

/**
 * Lists all routes. A route that declares neither a scope nor `@Public`, or both, stops the start.
 */
@Injectable()
export class RouteRegistryService implements OnModuleInit {
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
      public: this.reflector.get(Public, handler),
    };
  }
}
